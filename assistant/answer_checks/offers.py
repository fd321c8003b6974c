"""Which checks an answer calls for: those of the sections that it cites."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assistant.answer import Answer
from assistant.checks.check import Check
from assistant.checks.registry import checks_of
from assistant.timeline.model import Histories, Source
from index.search.passage import Passage

_WORD = re.compile(r"[a-z0-9]{3,}")


@dataclass(frozen=True, slots=True)
class Offer:
    """A check that an answer calls for.

    Attributes:
        check: what can be tried.
        numbers: of the citations whose sections claim it, in order; empty where a model proposed it.
    """

    check: Check
    numbers: tuple[int, ...] = ()


def offers(answer: Answer, histories: Callable[[], Histories]) -> tuple[Offer, ...]:
    """The checks of what an answer cites, in the order of the citations.

    Of a declined question those of the nearest sections that it names something of: where the notes do not
    tell how much faster a thing is, this machine may.

    Args:
        answer: with its citations.
        histories: the features of the index: a check belongs to a section of a digest, and by them other
            documents that tell the same of the same release are known. Called only where no digest is cited.
    """
    asked = {*_WORD.findall(answer.standalone.lower())}
    found: dict[str, tuple[Check, list[int]]] = {}
    for citation in answer.citations:
        for release, section in _sections(citation.passage, histories):
            for check in checks_of(release, section):
                if answer.abstained and not asked & {*check.id.split("-")}:
                    continue
                found.setdefault(check.id, (check, []))[1].append(citation.number)
    return tuple(Offer(check, tuple(dict.fromkeys(numbers))) for check, numbers in found.values())


def _sections(passage: Passage, histories: Callable[[], Histories]) -> Iterator[tuple[str, str]]:
    """The sections of digests that a passage is of, or tells the same as, by release and id."""
    if passage.document.kind == "digest":
        yield passage.version, passage.chunk.section_id
        return
    here = passage.document_id, passage.chunk.section
    for feature in histories().values():
        for step in feature.steps:
            if step.release == passage.release and any(_place(source) == here for source in step.sources):
                told = (source for source in step.sources if source.document.kind == "digest")
                yield from dict.fromkeys(
                    (source.document.version, source.chunk.section_id) for source in told
                )


def _place(source: Source) -> tuple[str, int]:
    return source.document.id, source.chunk.section

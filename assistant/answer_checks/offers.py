"""Selection of the checks related to an answer: those of the sections that it cites."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assistant.answer import Answer
from assistant.checks.check import Check
from assistant.checks.registry import checks_of
from assistant.timeline.model import Histories
from index.search.passage import Passage

_WORD = re.compile(r"[a-z0-9]{3,}")


@dataclass(frozen=True, slots=True)
class Offer:
    """A check related to an answer.

    Attributes:
        check: the check.
        numbers: numbers of the citations whose sections claim it, in order; empty if a model proposed it.
    """

    check: Check
    numbers: tuple[int, ...] = ()


def offers(answer: Answer, histories: Callable[[], Histories]) -> tuple[Offer, ...]:
    """Return the checks of the sections that an answer cites, in citation order.

    For an answer that declines, checks of the nearest sections are returned if the question contains a word
    of their id: this machine may answer what the notes do not.

    Args:
        answer: the answer.
        histories: returns the feature histories, called only for sections outside digests. Checks belong to
            sections of digests; the histories show which sections of other documents describe the same.
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
    """Yield release and id of the digest sections that a passage is from, or that describe the same."""
    if passage.document.kind == "digest":
        yield passage.version, passage.chunk.section_id
        return
    here = passage.document_id, passage.chunk.section
    for feature in histories().values():
        for step in feature.steps:
            if step.release == passage.release and any(source.place == here for source in step.sources):
                told = (source for source in step.sources if source.document.kind == "digest")
                yield from dict.fromkeys(
                    (source.document.version, source.chunk.section_id) for source in told
                )

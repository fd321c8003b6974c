"""The marks of an answer: which of its cited statements apply to a machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from assistant.answer import Answer
from assistant.applicability.applicability import Applicability, applies
from assistant.applicability.reading import conditions
from assistant.checks.machine import Machine
from ingest.markup import reading_text
from ingest.release import Release

_STOP = re.compile(
    r"(?<=[。！？])|(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)\s+(?=[A-Z`“\"（(])|\n\s*(?=[-*|])|\n\s*\n"
)
_CODE = re.compile(r"\s*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Mark:
    """Whether a statement of an answer applies to a machine.

    Attributes:
        numbers: of the citations whose quotes hold it.
        statement: the sentence of the notes, as it reads.
        applicability: the result with its reasons.
    """

    numbers: tuple[int, ...]
    statement: str
    applicability: Applicability

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "numbers": list(self.numbers),
            "statement": self.statement,
            **self.applicability.to_dict(),
        }


def mark(answer: Answer, machine: Machine) -> tuple[Mark, ...]:
    """The sentences that an answer cites and that say something of a machine, in the order of their numbers.

    What a language model wrote is judged by the quotes that prove it. An answer that declines has no marks.
    """
    if answer.abstained:
        return ()
    found: dict[tuple[str, str], Mark] = {}
    for citation in answer.citations:
        release, headings = citation.passage.release, citation.passage.chunk.headings
        heading = headings[-1] if headings else ""
        for sentence in statements(citation.quote):
            told = in_section(sentence, heading, release, machine)
            key = (sentence, citation.version)
            if told and key in found:
                numbers = (*found[key].numbers, citation.number)
                found[key] = replace(found[key], numbers=tuple(dict.fromkeys(numbers)))
            elif told:
                found[key] = Mark((citation.number,), sentence, told)
    return tuple(found.values())


def in_section(
    sentence: str, heading: str, release: Release | None, machine: Machine
) -> Applicability | None:
    """Whether a sentence below a heading applies.

    Below "Intel GPU" an item that names Linux speaks of Intel GPUs on Linux: what the heading names joins the
    conditions of a sentence that has some, and alone it makes none.
    """
    own = conditions(sentence, release)
    groups = {condition.group for condition in own}
    if not groups - {"torch"}:
        return applies(own, machine)
    above = [condition for condition in conditions(heading) if condition.group not in groups]
    return applies([*own, *above], machine)


def statements(quote: str) -> Iterator[str]:
    """The sentences of a quote, code apart.

    >>> list(statements("It works on Linux. On Windows, `x` needs MSVC."))
    ['It works on Linux.', 'On Windows, `x` needs MSVC.']
    """
    if _CODE.match(quote):
        return
    for part in _STOP.split(quote):
        said = " ".join(reading_text(part).split())
        if said:
            yield said

"""Marks on answers: which of the cited statements apply to a machine."""

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
        numbers: numbers of the citations whose quotes contain it.
        statement: sentence of the notes, as plain text.
        applicability: result and reasons.
    """

    numbers: tuple[int, ...]
    statement: str
    applicability: Applicability

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {
            "numbers": list(self.numbers),
            "statement": self.statement,
            **self.applicability.to_dict(),
        }


def mark(answer: Answer, machine: Machine) -> tuple[Mark, ...]:
    """Evaluate the sentences that an answer cites.

    Text written by a language model is judged by the quotes that prove it.

    Args:
        answer: the answer.
        machine: the machine.

    Returns:
        A mark for each cited sentence that says something about the machine, in citation order; none for an
        answer that declines.
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
    """Evaluate a sentence together with its heading.

    Below "Intel GPU", an item that names Linux is about Intel GPUs on Linux: conditions of the heading are
    added to those of a sentence that has some; on their own they are not used.

    Args:
        sentence: sentence of the notes.
        heading: heading of its section, "" if there is none.
        release: release of the notes, None if unknown.
        machine: the machine.

    Returns:
        The result, None if the sentence says nothing about the machine.
    """
    own = conditions(sentence, release)
    groups = {condition.group for condition in own}
    if not groups - {"torch"}:
        return applies(own, machine)
    above = [condition for condition in conditions(heading) if condition.group not in groups]
    return applies([*own, *above], machine)


def statements(quote: str) -> Iterator[str]:
    """Yield the sentences of a quote as plain text, code blocks left out.

    Args:
        quote: quote in Markdown.

    >>> list(statements("It works on Linux. On Windows, `x` needs MSVC."))
    ['It works on Linux.', 'On Windows, `x` needs MSVC.']
    """
    if _CODE.match(quote):
        return
    for part in _STOP.split(quote):
        said = " ".join(reading_text(part).split())
        if said:
            yield said

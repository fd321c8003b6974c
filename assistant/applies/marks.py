"""The marks of an answer: which of its cited statements apply to a machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from assistant.answer import Answer
from assistant.applies.applicability import Applicability, sentence_applies
from assistant.checks.machine import Machine
from ingest.markup import reading_text

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
        for sentence in statements(citation.quote):
            told = sentence_applies(sentence, citation.passage.release, machine)
            key = (sentence, citation.version)
            if told and key in found:
                numbers = (*found[key].numbers, citation.number)
                found[key] = replace(found[key], numbers=tuple(dict.fromkeys(numbers)))
            elif told:
                found[key] = Mark((citation.number,), sentence, told)
    return tuple(found.values())


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

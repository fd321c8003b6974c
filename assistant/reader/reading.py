"""What a reader takes and gives."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ingest.document import Kind


@dataclass(frozen=True, slots=True)
class ReadText:
    """A passage as a reader reads it.

    Attributes:
        context: release and heading path.
        sentences: in the order of the document, without markup.
        nearness: of each sentence to what is asked; where not all have room, the nearest are read.
    """

    context: str
    sentences: Sequence[str]
    nearness: Sequence[float]


@dataclass(frozen=True, slots=True)
class ReaderVerdict:
    """What a reader says of a statement, or of a yes/no question, beside its evidence.

    Attributes:
        supported: log odds that the evidence supports it (yes), against both others.
        contradicted: log odds that it contradicts it (no), against both others.
        unsaid: log odds that it does not tell, against both others.
    """

    supported: float
    contradicted: float
    unsaid: float


NO_VERDICT = ReaderVerdict(-math.inf, -math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class PassageReading:
    """What a reader found in a passage.

    Attributes:
        answers: log odds that the passage answers the question.
        sentences: log odds that a sentence does, by its number; those that had no room are missing.
        verdict: what it says of a yes/no question beside the passage; it means nothing of any other question.
    """

    answers: float
    sentences: Mapping[int, float] = field(default_factory=dict)
    verdict: ReaderVerdict = NO_VERDICT


class Reader(Protocol):
    """Reads questions and passages together. Several threads may use one."""

    @property
    def name(self) -> str:
        """Return its name with a fingerprint of the weights, "" if it cannot read here."""

    @property
    def kinds(self) -> Collection[Kind]:
        """Return the kinds of documents whose passages it was trained to judge."""

    def read(self, question: str, texts: Sequence[ReadText]) -> list[PassageReading]:
        """Read a question with each of some passages; an empty list says that nothing could be read.

        Args:
            question: understood by itself.
            texts: passages.
        """

    def judge(self, statements: Sequence[str], evidence: Sequence[ReadText]) -> list[ReaderVerdict]:
        """Judge each statement by its evidence; an empty list says that nothing could be read.

        Args:
            statements: in plain text or Markdown.
            evidence: of each statement, in the same order.
        """

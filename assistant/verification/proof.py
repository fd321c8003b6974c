"""What verification makes of a statement: proved, unconfirmed, contradicted, or nothing to prove."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.answer import Outcome
from assistant.reader.reading import ReadText
from assistant.verification.draft import Statement
from assistant.verification.evidence import EvidenceSentence

ADVICE = "advice of the language model"


@dataclass(frozen=True, slots=True)
class Proof:
    """Result of verifying a statement.

    Attributes:
        statement: the statement.
        outcome: the result.
        reason: why it is not proved, or "".
        quotes: evidence that proves it, best first.
        exact: whether exact checks decided, or nothing has to be decided. Otherwise the reader and the
            nearness of quotes did, and a language model may judge it once more (`judgement`).
    """

    statement: Statement
    outcome: Outcome
    reason: str = ""
    quotes: tuple[EvidenceSentence, ...] = ()
    exact: bool = True

    @property
    def holds(self) -> bool:
        """Whether the statement is proved."""
        return self.outcome == "proved"


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found for a statement, before the learned decision.

    Attributes:
        lacking: what its evidence lacks, "" if nothing; such a statement cannot be proved.
        conflict: how its evidence contradicts it, by an exact check, or "".
        quotes: evidence, best first.
        evidence: what the reader reads beside the statement; None if there is no evidence.
        features: that decide, by the names of `decision.FEATURES`.
        verbatim: whether the statement repeats a quote.
    """

    lacking: str = ""
    conflict: str = ""
    quotes: tuple[EvidenceSentence, ...] = ()
    evidence: ReadText | None = None
    features: dict[str, float] = field(default_factory=dict)
    verbatim: bool = False

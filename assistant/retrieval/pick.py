"""The sentences that were chosen of one passage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from index.search.passage import Passage, ScoredSentence


class Lead(NamedTuple):
    """Our words before a sentence that proves them, such as "Yes".

    Attributes:
        words: in the language of the answer.
        sentence: the sentence.
    """

    words: str
    sentence: ScoredSentence


@dataclass(frozen=True, slots=True)
class Pick:
    """The sentences chosen of one passage, in the order of the document but for the one that leads.

    Attributes:
        score: of the best of them, comparable within one answer.
        above: the line above them, "" for the release, status and heading of the passage.
        label: our words before the first of them.
        lead: our words before the sentence that opens the answer, None for none. They are shown only where
            that sentence is still the first one.
    """

    passage: Passage
    sentences: tuple[ScoredSentence, ...]
    score: float = 0.0
    above: str = ""
    label: str = ""
    lead: Lead | None = None

    @property
    def opening(self) -> str:
        """The words of the lead if its sentence is the first one, else ""."""
        return self.lead.words if self.lead and self.sentences[0] is self.lead.sentence else ""

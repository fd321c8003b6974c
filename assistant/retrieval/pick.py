"""The sentences that were chosen of one passage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from index.search.passage import Passage, ScoredSentence
from ingest.status import MATURITIES, names_status_only

_SUMMARIES = ("overview", "status")  # section ids of a digest
#: Statuses of things that have a section each, below a heading that names the status alone.
_INTRODUCED = (*MATURITIES, "breaking", "deprecated", "new")


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


def sums_up(passage: Passage) -> bool:
    """Check whether a passage only sums up what other sections of its digest tell.

    Args:
        passage: of any document.
    """
    headings = passage.chunk.headings
    introduces = passage.status in _INTRODUCED and bool(headings) and names_status_only(headings[-1])
    return passage.document.kind == "digest" and (passage.chunk.section_id in _SUMMARIES or introduces)

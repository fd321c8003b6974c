"""The sentences that were chosen of one passage."""

from __future__ import annotations

from dataclasses import dataclass

from index.search.passage import Passage, ScoredSentence


@dataclass(frozen=True, slots=True)
class Pick:
    """The sentences chosen of one passage, in the order of the document.

    Attributes:
        score: of the best of them, comparable within one answer.
        above: the line above them, "" for the release, status and heading of the passage.
        label: our words before the first of them.
    """

    passage: Passage
    sentences: tuple[ScoredSentence, ...]
    score: float = 0.0
    above: str = ""
    label: str = ""

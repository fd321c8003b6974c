"""Means over many scores: in all, by language, by kind."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assistant.evaluation.scoring import Score
from ingest.document import LANGUAGES


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts and means of some scores; a mean over none of them is None.

    Questions to be declined count in `right` and `declined` alone.
    """

    count: int
    right_count: int
    right: float | None
    recall: float | None
    rr: float | None
    facts: float | None
    cited: float | None
    language: float | None
    declined: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a run, by what its questions share.

    Attributes:
        total: of all questions.
        by_language, by_kind: of those of one language, of one kind; kinds in alphabetical order.
        declined: how many of how many answerable questions, and how many of how many others, were declined.
        median_seconds, late_seconds: time of a question, and what one of twenty takes at least.
        median_characters: length of an answer, None where all questions are to be declined.
    """

    total: Figures
    by_language: dict[str, Figures]
    by_kind: dict[str, Figures]
    declined: dict[bool, tuple[int, int]]
    median_seconds: float
    late_seconds: float
    median_characters: float | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "total": asdict(self.total),
            "by_language": {name: asdict(figures) for name, figures in self.by_language.items()},
            "by_kind": {name: asdict(figures) for name, figures in self.by_kind.items()},
            "seconds": {"median": round(self.median_seconds, 4), "p95": round(self.late_seconds, 4)},
            "characters": {"median": self.median_characters},
        }


def report(scores: Sequence[Score]) -> Report:
    """The figures of at least one score."""
    seconds = sorted(score.seconds for score in scores)
    lengths = [score.characters for score in scores if score.characters is not None]
    return Report(
        total=figures(scores),
        by_language={
            language: figures(part)
            for language in LANGUAGES
            if (part := [score for score in scores if score.question.language == language])
        },
        by_kind={
            kind: figures([score for score in scores if score.question.kind == kind])
            for kind in sorted({score.question.kind for score in scores})
        },
        declined={answerable: _declined(scores, answerable) for answerable in (True, False)},
        median_seconds=statistics.median(seconds),
        late_seconds=seconds[int(len(seconds) * 0.95)],
        median_characters=statistics.median(lengths) if lengths else None,
    )


def figures(scores: Sequence[Score]) -> Figures:
    """Counts and means."""
    return Figures(
        count=len(scores),
        right_count=sum(score.right for score in scores),
        right=_mean(score.right for score in scores),
        recall=_mean(score.recall for score in scores),
        rr=_mean(score.reciprocal_rank for score in scores),
        facts=_mean(score.facts for score in scores),
        cited=_mean(score.cited for score in scores),
        language=_mean(score.in_language for score in scores),
        declined=_mean(score.declined for score in scores),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of those that there are."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _declined(scores: Sequence[Score], answerable: bool) -> tuple[int, int]:
    chosen = [score for score in scores if score.question.answerable is answerable]
    return sum(score.declined for score in chosen), len(chosen)

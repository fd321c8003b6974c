"""Aggregates scores: totals, and means by language and by kind."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assistant.evaluation.scoring import Score
from ingest.document import LANGUAGES


@dataclass(frozen=True, slots=True)
class Figures:
    """Aggregated scores of some questions.

    A mean is None if none of the questions has the value. Questions that should be declined have values only
    for `right` and `declined`.

    Attributes:
        count: number of questions.
        right_count: number of right answers.
        right: share of right answers, 0 to 1.
        recall: mean `Score.recall`.
        rr: mean reciprocal rank.
        facts: mean share of the facts stated.
        cited: share of answers that cite evidence.
        language: share of answers in the language of the question.
        lead: share of the right answers that open with the deciding fact.
        declined: share of questions that were declined.
    """

    count: int
    right_count: int
    right: float | None
    recall: float | None
    rr: float | None
    facts: float | None
    cited: float | None
    language: float | None
    lead: float | None
    declined: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """Figures of a run.

    Attributes:
        total: figures of all questions.
        by_language: figures by language, for the languages that occur.
        by_kind: figures by kind, in alphabetical order.
        declined: by `answerable` (True, False), the number of questions declined and the number asked.
        median_seconds: median time per question.
        late_seconds: 95th percentile of the time per question.
        median_characters: median answer length, or None if all questions should be declined.
    """

    total: Figures
    by_language: dict[str, Figures]
    by_kind: dict[str, Figures]
    declined: dict[bool, tuple[int, int]]
    median_seconds: float
    late_seconds: float
    median_characters: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable dictionary."""
        return {
            "total": asdict(self.total),
            "by_language": {name: asdict(figures) for name, figures in self.by_language.items()},
            "by_kind": {name: asdict(figures) for name, figures in self.by_kind.items()},
            "seconds": {"median": round(self.median_seconds, 4), "p95": round(self.late_seconds, 4)},
            "characters": {"median": self.median_characters},
        }


def report(scores: Sequence[Score]) -> Report:
    """Aggregate the scores of a run.

    Args:
        scores: scores of at least one question.
    """
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
    """Compute the counts and means of some scores.

    Args:
        scores: scores to aggregate, possibly none.
    """
    return Figures(
        count=len(scores),
        right_count=sum(score.right for score in scores),
        right=_mean(score.right for score in scores),
        recall=_mean(score.recall for score in scores),
        rr=_mean(score.reciprocal_rank for score in scores),
        facts=_mean(score.facts for score in scores),
        cited=_mean(score.cited for score in scores),
        language=_mean(score.in_language for score in scores),
        lead=_mean(score.led for score in scores),
        declined=_mean(score.declined for score in scores),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are not None."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _declined(scores: Sequence[Score], answerable: bool) -> tuple[int, int]:
    chosen = [score for score in scores if score.question.answerable is answerable]
    return sum(score.declined for score in chosen), len(chosen)

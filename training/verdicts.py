"""Fit when an answer to a yes/no question may begin with yes or no (`make verdicts`).

Yes/no questions of the sections held out, which the reader was not trained on, and those near misses that are
asked alike, are asked of an assistant that does not know what their writers wrote. For each verdict a
logistic regression gives its log odds; the threshold is the lowest one above which enough verdicts are right,
in folds of sections. Where no threshold is, or too few verdicts are left above it, that verdict is never
given. Prints precision and coverage with their spread over samples of sections, and what each feature adds;
writes assistant/answering/verdict.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from assistant.answering.verdict import FEATURES, MODEL, POLARITIES, Polarity
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.query.yes_no import is_yes_no
from assistant.retrieval.decision import decided
from assistant.retrieval.gate import load_gate
from assistant.settings import Settings
from training.fusion import Floats, fit
from training.questions import unknown_to
from training.rows import Row, is_unseen, read_rows

PRECISION = 0.97  # least share of the verdicts that are right
_FEWEST = 30  # verdicts above a threshold: a share of fewer says little
_FOLDS, _SHUFFLES = 5, 3
_SAMPLES = 200  # of sections, for the spread


@dataclass(frozen=True, slots=True)
class Asked:
    """A yes/no question that is answered.

    Attributes:
        row: of the training data.
        features: of its verdict.
    """

    row: Row
    features: dict[str, float]


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--precision", type=float, default=PRECISION, help="least share of right verdicts")
    parser.add_argument("--home", type=Path, help="of an index of the shipped digests; made if there is none")
    given = parser.parse_args()
    rows = [row for row in read_rows() if is_unseen(row) and row.kind in ("polar", "unanswerable")]
    rows = [row for row in rows if is_yes_no(row.text)]
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=given.home or Path(home))).assistant()
        found = [(row, features(other, row)) for other, row in unknown_to(assistant, rows)]
    asked = [Asked(row, measured) for row, measured in found if measured]
    polar = sum(one.row.kind == "polar" for one in asked)
    sys.stdout.write(
        f"{len(asked)} of {len(rows)} yes/no questions answered, {polar} of them with a verdict\n"
    )
    fitted: dict[str, object] = {"trained_on": f"{len(asked)} questions, `make verdicts`"}
    for polarity in POLARITIES:
        right = np.array([one.row.polarity == polarity for one in asked])
        odds = in_folds(asked, polarity, FEATURES)
        threshold = lowest_threshold(odds, right, given.precision)
        report(polarity, asked, odds, right, threshold)
        bias, *weights = fit(matrix(asked, FEATURES), right)
        told = zip(("bias", *FEATURES), (bias - (threshold or 0), *weights), strict=True)
        fitted[polarity] = (
            {name: round(float(value), 3) for name, value in told} if threshold is not None else None
        )
    MODEL.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    return 0


def features(assistant: Assistant, row: Row) -> dict[str, float] | None:
    """Return what the verdict on a question is decided from; None if it has none or is declined.

    Args:
        assistant: over the shipped digests.
        row: a yes/no question.
    """
    found, gate = assistant.examine(row.text, row.history), load_gate()
    before = gate.probability(found.features)
    answered = decided(before, gate.threshold, found.search.near, found.readings) >= gate.threshold
    return found.verdict if answered else None


def in_folds(asked: Sequence[Asked], polarity: Polarity, names: Sequence[str]) -> Floats:
    """Return log odds of a verdict on each question, by regressions that saw none of its section.

    Args:
        asked: questions.
        polarity: the verdict.
        names: of the features to decide from.
    """
    values, right = matrix(asked, names), np.array([one.row.polarity == polarity for one in asked])
    groups = [next(iter(one.row.sections), one.row.id) for one in asked]
    odds = np.zeros(len(asked))
    for seed in range(_SHUFFLES):
        folds = GroupKFold(_FOLDS, shuffle=True, random_state=seed)
        for train, test in folds.split(values, groups=groups):
            bias, *weights = fit(values[train], right[train])
            odds[test] += (bias + values[test] @ np.array(weights)) / _SHUFFLES
    return odds


def matrix(asked: Sequence[Asked], names: Sequence[str]) -> Floats:
    """Return features as numbers, (questions, features)."""
    return np.array([[one.features[name] for name in names] for one in asked])


def lowest_threshold(odds: Floats, right: np.ndarray, precision: float) -> float | None:
    """Return the lowest log odds above which a share of the verdicts is right, or None.

    Args:
        odds: of each question, (questions,).
        right: whether the verdict is, (questions,).
        precision: the share.
    """
    order = np.argsort(-odds, kind="stable")
    shares = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero((shares >= precision) & (np.arange(1, len(order) + 1) >= _FEWEST))
    return float(odds[order[enough[-1]]]) if enough.size else None


def report(
    polarity: Polarity, asked: Sequence[Asked], odds: Floats, right: np.ndarray, threshold: float | None
) -> None:
    """Print what is told apart, and how many verdicts are given and right.

    Args:
        polarity: the verdict.
        asked: questions.
        odds: of each, (questions,).
        right: whether the verdict is, (questions,).
        threshold: above which it is given; None: never.
    """
    lacking = []
    for name in FEATURES:
        left = tuple(other for other in FEATURES if other != name)
        lacking.append(f"{name} {roc_auc_score(right, in_folds(asked, polarity, left)):.3f}")
    sys.stdout.write(f"{polarity}: AUC {roc_auc_score(right, odds):.3f}; without {', '.join(lacking)}\n")
    for count in (10, 20, 40, 80):
        best = np.argsort(-odds)[:count]
        sys.stdout.write(f"  surest {count}: {right[best].mean():.3f} right\n")
    if threshold is None:
        sys.stdout.write("  no threshold is precise enough: never given\n")
        return
    sections = np.array([next(iter(one.row.sections), one.row.id) for one in asked])
    places = {section: np.flatnonzero(sections == section) for section in np.unique(sections)}
    draw = np.random.default_rng(0)
    samples = [
        np.concatenate([places[s] for s in draw.choice(list(places), len(places))]) for _ in range(_SAMPLES)
    ]
    given = odds >= threshold
    precision = np.nanstd([right[some][given[some]].mean() for some in samples if given[some].any()])
    coverage = np.std([given[some][right[some]].mean() for some in samples if right[some].any()])
    sys.stdout.write(
        f"  given {given.sum()} times, right {right[given].mean():.3f} ± {precision:.3f}; "
        f"covers {given[right].mean():.3f} ± {coverage:.3f} of {right.sum()}\n"
    )


if __name__ == "__main__":
    raise SystemExit(main())

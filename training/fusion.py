"""Fit how much what the reader says counts (`make fusion`).

A logistic regression on the questions of the sections held out, which neither the embedding model nor the
reader was trained on: whether the notes answer. The threshold is that at which few of our own questions that
the notes answer are declined. Prints what the gate alone and both decline, in folds of sections; writes
assistant/retrieval/reading.json.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from assistant.assistant import Assistant
from assistant.evaluation.loader import read_questions
from assistant.factory import AssistantFactory
from assistant.retrieval.gate import load_gate
from assistant.retrieval.reading import MODEL
from assistant.settings import Settings
from training.rows import Row, is_answered, is_unseen, read_rows

FALSE_DECLINES = 0.03  # share of our own answerable questions that may be declined
_FOLDS = 5
_LEAST = 1e-6  # probability
_UNREAD = -5.0  # log odds where nothing was found to read
Floats = NDArray[np.float64]


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", type=Path, nargs="+", help="our own questions, one JSON object a line")
    given = parser.parse_args()
    rows = [row for row in read_rows() if is_unseen(row) and row.kind != "statement"]
    asked = [question for question in read_questions(given.questions) if question.answerable]
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        values = np.array([measured(assistant, row.text, row.history) for row in rows])
        own = np.array([measured(assistant, question.text, question.history) for question in asked])
    weights = fit(values, np.array([is_answered(row) for row in rows]))[1:]
    report(rows, values)
    bias = -float(np.quantile(own @ weights, FALSE_DECLINES))
    fitted = {
        "trained_on": f"{len(rows)} questions, `make fusion`",
        "weights": [round(float(value), 3) for value in (bias, *weights)],
    }
    MODEL.write_text(json.dumps(fitted) + "\n", encoding="utf-8")
    return 0


def measured(assistant: Assistant, question: str, history: Sequence[str]) -> tuple[float, float, float]:
    """Return the log odds of the gate, of the best passage and of the best sentence.

    Args:
        assistant: over the shipped digests.
        question: as typed.
        history: earlier questions.
    """
    features, readings = assistant.examine(question, history)
    before = min(max(load_gate().probability(features), _LEAST), 1 - _LEAST)
    return readings.best(before) if readings.passages else (math.log(_LEAST), _UNREAD, _UNREAD)


def fit(values: Floats, answered: NDArray[np.bool_]) -> Floats:
    """Return bias and weights of the log odds of an answer, (1 + features,).

    Args:
        values: of each question, (questions, features).
        answered: whether the notes answer it, (questions,).
    """
    model = LogisticRegression(C=1.0, max_iter=1000).fit(values, answered)
    return np.array([model.intercept_[0], *model.coef_[0]])


def report(rows: Sequence[Row], values: Floats) -> None:
    """Print how the gate alone and the fitted log odds tell what the notes answer.

    Args:
        rows: questions of the training data that are held out.
        values: of each, (questions, features).
    """
    answered = np.array([is_answered(row) for row in rows])
    odds = np.zeros(len(rows))
    folds = GroupKFold(_FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(values, groups=[next(iter(row.sections), row.id) for row in rows]):
        bias, *weights = fit(values[train], answered[train])
        odds[test] = bias + values[test] @ np.array(weights)
    kinds = np.array(
        ["answered" if is_answered(r) else "near miss" if r.sections else "off the subject" for r in rows]
    )
    for name, some in (("gate alone", values[:, 0]), ("with the reader", odds)):
        threshold = np.quantile(some[answered], FALSE_DECLINES)
        parts = [f"{kind} {(some[kinds == kind] < threshold).mean():.3f}" for kind in sorted(set(kinds))]
        sys.stdout.write(f"{name}: AUC {roc_auc_score(answered, some):.3f}; declined: {', '.join(parts)}\n")


if __name__ == "__main__":
    raise SystemExit(main())

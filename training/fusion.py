"""Fit how much what the reader and the known questions say counts (`make fusion`).

Logistic regressions on questions of the sections held out, on which neither the embedding model nor the
reader was trained: whether the notes answer. Known questions of the writer of each are left out. The
threshold is that at which few of our own questions that the notes answer are declined. Prints what the gate
alone and each set of signals declines, in folds of sections; writes assistant/retrieval/decision.json.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from assistant.assistant import Assistant
from assistant.evaluation.loader import read_questions
from assistant.factory import AssistantFactory
from assistant.retrieval.decision import GATE, KNOWN, MODEL, NOT_READ, READER, signals
from assistant.retrieval.gate import load_gate
from assistant.settings import Settings
from training.questions import unknown_to, well_known
from training.rows import Row, is_answered, is_unseen, read_rows

FALSE_DECLINES = 0.03  # share of our own answerable questions that may be declined
_SETS = ((*GATE, *READER, *KNOWN), (*GATE, *KNOWN), (*GATE, *READER))
_FOLDS = 5
_LEAST = 1e-6  # probability
Floats = NDArray[np.float64]


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", type=Path, nargs="+", help="our own questions, one JSON object a line")
    given = parser.parse_args()
    every = list(read_rows())
    silent = [row for row in every if row.kind != "statement" and not is_answered(row)]
    rows = [row for row in (*well_known(every), *silent) if is_unseen(row)]
    asked = [question for question in read_questions(given.questions) if question.answerable]
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        pairs = [(row, measured(other, row.text, row.history)) for other, row in unknown_to(assistant, rows)]
        own = [measured(assistant, question.text, question.history) for question in asked]
    rows, values = [row for row, _ in pairs], [value for _, value in pairs]
    report(rows, values, GATE)
    fitted = []
    for names in _SETS:
        report(rows, values, names)
        weights = fit(matrix(values, names), np.array([is_answered(row) for row in rows]))[1:]
        bias = -float(np.quantile(matrix(own, names) @ weights, FALSE_DECLINES))
        numbers = dict(zip(("bias", *names), (bias, *weights), strict=True))
        fitted.append({name: round(float(number), 3) for name, number in numbers.items()})
    trained = {"trained_on": f"{len(rows)} questions, `make fusion`", "weights": fitted}
    MODEL.write_text(json.dumps(trained, indent=1) + "\n", encoding="utf-8")
    return 0


def measured(assistant: Assistant, question: str, history: Sequence[str]) -> Mapping[str, float]:
    """Return the signals of a question, by name.

    Args:
        assistant: over the shipped digests.
        question: as typed.
        history: earlier questions.
    """
    found = assistant.examine(question, history)
    before = min(max(load_gate().probability(found.features), _LEAST), 1 - _LEAST)
    return {**dict.fromkeys(READER, NOT_READ), **signals(before, found.search.near, found.readings)}


def matrix(values: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    """Return signals as numbers, (questions, signals)."""
    return np.array([[value[name] for name in names] for value in values])


def fit(values: Floats, answered: NDArray[np.bool_]) -> Floats:
    """Return bias and weights of the log odds of an answer, (1 + signals,).

    Args:
        values: of each question, (questions, signals).
        answered: whether the notes answer it, (questions,).
    """
    scale = values.std(axis=0)  # signals of small numbers would be held back more than others
    model = LogisticRegression(C=1.0, max_iter=1000).fit(values / scale, answered)
    return np.array([model.intercept_[0], *(model.coef_[0] / scale)])


def report(rows: Sequence[Row], measurements: Sequence[Mapping[str, float]], names: Sequence[str]) -> None:
    """Print what is told apart, and declined where few that the notes answer are, in folds of sections.

    Args:
        rows: questions of the training data that are held out.
        measurements: of each, by name.
        names: of the signals that decide.
    """
    values, answered = matrix(measurements, names), np.array([is_answered(row) for row in rows])
    odds = np.zeros(len(rows))
    folds = GroupKFold(_FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(values, groups=[next(iter(row.sections), row.id) for row in rows]):
        bias, *weights = fit(values[train], answered[train])
        odds[test] = bias + values[test] @ np.array(weights)
    kinds = np.array(
        ["answered" if is_answered(r) else "near miss" if r.sections else "off the subject" for r in rows]
    )
    threshold = np.quantile(odds[answered], FALSE_DECLINES)
    parts = [f"{kind} {(odds[kinds == kind] < threshold).mean():.3f}" for kind in sorted(set(kinds))]
    sys.stdout.write(
        f"{', '.join(names)}: AUC {roc_auc_score(answered, odds):.3f}; declined: {', '.join(parts)}\n"
    )


if __name__ == "__main__":
    raise SystemExit(main())

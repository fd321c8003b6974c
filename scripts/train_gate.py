"""Train the gate that decides when to decline (`make gate`).

Reads our own questions, answers none of them: it asks what retrieval finds, with and without the shipped
digests, and fits a logistic regression on the features of assistant/retrieval/gate_features.py.
Prints what the gate would do on questions it was not trained on (ten folds), and writes
assistant/retrieval/gate.json.
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
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.model_selection import GroupKFold

from assistant.evaluation.gold import TO_DECLINE, GoldQuestion
from assistant.evaluation.loader import read_questions
from assistant.factory import AssistantFactory
from assistant.retrieval.gate import MODEL
from assistant.settings import Settings
from ingest.loaders import load

FALSE_DECLINES = 0.02  # share of answerable questions that may be declined
_INVERSE_PENALTY = 0.1
#: Features that speak against an answer, and those that may speak for either; all others speak for one.
AGAINST = frozenset(
    "unknown_words asked_missing kinds_apart names_missing names_unheard release_unknown".split()
) | {"compared_missing", "compared_apart"}
FREE = frozenset("chinese names release_named cosine_zh nearness_zh".split())
Floats = NDArray[np.float64]
_FOLDS = 10


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", type=Path, help="the folder of release documents")
    parser.add_argument("questions", type=Path, nargs="+", help="questions, one JSON object a line")
    arguments = parser.parse_args()
    questions = read_questions(arguments.questions)
    numbered: list[tuple[int, dict[str, float]]] = []
    for shipped in (False, True):
        with tempfile.TemporaryDirectory() as home:
            numbered += features(arguments.documents, questions, Path(home), shipped)
    groups = np.array([number for number, _ in numbered])  # a question's rows stay in one fold
    rows = [row for _, row in numbered]
    answerable = np.array([questions[number].answerable for number in groups])
    names = sorted(rows[0])
    matrix = np.array([[row[name] for name in names] for row in rows])
    held_out = np.empty(len(rows))
    for train, test in GroupKFold(_FOLDS, shuffle=True, random_state=0).split(matrix, answerable, groups):
        held_out[test] = fit(matrix[train], answerable[train], names).probabilities(matrix[test])
    threshold = float(np.quantile(held_out[answerable], FALSE_DECLINES))
    kinds = np.array([questions[number].kind for number in groups])
    sys.stdout.write(f"threshold {threshold:.3f}, declined on questions held out:\n")
    for name, mask in (("answerable", answerable), *((kind, kinds == kind) for kind in TO_DECLINE)):
        count = len(set(groups[mask]))
        sys.stdout.write(f"  {name:14}{(held_out[mask] < threshold).mean():.3f}  of {count} questions\n")
    model = fit(matrix, answerable, names)
    columns = zip(names, model.mean, model.scale, model.weights, strict=True)
    gate = {
        "trained_on": f"{len(set(groups))} questions, `make gate`",
        "threshold": round(threshold, 4),
        "bias": round(model.bias, 4),
        "features": [
            {"name": name, "mean": round(m, 4), "scale": round(s, 4), "weight": round(w, 4)}
            for name, m, s, w in columns
        ],
    }
    MODEL.write_text(json.dumps(gate, indent=1) + "\n", encoding="utf-8")
    return 0


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic regression on standardized features, each (features,)."""

    mean: Floats
    scale: Floats
    weights: Floats
    bias: float

    def probabilities(self, matrix: Floats) -> Floats:
        """Of an answer, for each row."""
        out: Floats = expit((matrix - self.mean) / self.scale @ self.weights + self.bias)
        return out


def fit(matrix: Floats, answerable: NDArray[np.bool_], names: Sequence[str]) -> Model:
    """Fit weights that keep to the directions which their features have by their meaning.

    Without them, what our questions happen to have in common would count: that those which ask for a figure
    are near misses more often, say, and a figure found would speak against an answer.
    """
    mean, scale = matrix.mean(axis=0), matrix.std(axis=0) + 1e-9
    scaled, signs = (matrix - mean) / scale, np.where(answerable, 1.0, -1.0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = signs * (scaled @ weights[:-1] + weights[-1])
        pull = -_INVERSE_PENALTY * signs * expit(-margins)
        value = _INVERSE_PENALTY * np.logaddexp(0, -margins).sum() + weights[:-1] @ weights[:-1] / 2
        return float(value), np.append(pull @ scaled + weights[:-1], pull.sum())

    bounds = [(None, None) if name in FREE else (None, 0) if name in AGAINST else (0, None) for name in names]
    start = np.zeros(len(names) + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)])
    return Model(mean, scale, found.x[:-1], float(found.x[-1]))


def features(
    documents: Path, questions: Sequence[GoldQuestion], home: Path, shipped: bool
) -> list[tuple[int, dict[str, float]]]:
    """The number and the features of every question that is the gate's, on an index of the documents."""
    factory = AssistantFactory(Settings(home=home, shipped_corpus=shipped))
    factory.update(list(load(documents, on_skip=lambda error: None)))
    assistant = factory.assistant()
    return [
        (number, assistant.features(question.text, question.history))
        for number, question in enumerate(questions)
        if not assistant.is_unmentioned(question.text, question.history)
    ]


if __name__ == "__main__":
    raise SystemExit(main())

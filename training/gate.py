"""Train the gate that decides when to decline (`make gate`).

Answers nothing: it asks what retrieval finds, for the rows of the training data over the shipped digests and
for our own questions over the release documents alone, and fits a logistic regression on the features of
assistant/retrieval/gate_features.py. Prints what the gate does on the sections held out, and on all others in
ten folds; writes gate.json and subject.json in assistant/retrieval.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.model_selection import GroupKFold

from assistant.evaluation.loader import read_questions
from assistant.factory import AssistantFactory
from assistant.retrieval.gate import MODEL
from assistant.retrieval.subject import clipped, load_subject
from assistant.settings import Settings
from ingest.loaders import load
from training.rows import is_answered, read_rows
from training.subject import train_subject

FALSE_DECLINES = 0.05  # share of answerable questions of the training data that may be declined
_INVERSE_PENALTY = 0.1
_PRIOR = 0.9  # share of questions that the notes answer when people ask; the data holds fewer
#: Features that speak against an answer, and those that may speak for either; all others speak for one.
AGAINST = frozenset(
    "unknown_words asked_missing kinds_apart names_missing names_unheard release_unknown".split()
) | {"compared_missing", "compared_apart"}
FREE = frozenset("chinese names release_named cosine_zh nearness_zh".split())
Floats = NDArray[np.float64]
_ANSWERED, _UNANSWERED = 2000, 2000  # rows of the training data
_FOLDS = 10


@dataclass(frozen=True, slots=True)
class Measured:
    """A question whose answer the gate decides on.

    Attributes:
        features: of what was found for it.
        answerable: whether what is indexed answers it.
        kind: that shares are printed for.
        group: questions of one group stay in one fold: a section, or the question itself.
        held_out: whether it is only measured.
    """

    features: dict[str, float]
    answerable: bool
    kind: str
    group: str
    held_out: bool = False


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("documents", type=Path, help="the folder of release documents")
    parser.add_argument("questions", type=Path, nargs="+", help="our own questions, one JSON object a line")
    arguments = parser.parse_args()
    rows = [*from_training_data(), *from_documents(arguments.documents, arguments.questions)]
    names = sorted(rows[0].features)
    matrix = np.array([[row.features[name] for name in names] for row in rows])
    answerable = np.array([row.answerable for row in rows])
    learnt = np.array([not row.held_out for row in rows])
    model = fit(matrix[learnt], answerable[learnt], names)
    probabilities = model.probabilities(matrix)  # of what was learnt: replaced by those of the folds below
    groups = [row.group for row in rows if not row.held_out]
    folds = GroupKFold(_FOLDS, shuffle=True, random_state=0)
    places = np.flatnonzero(learnt)
    for train, test in folds.split(places, groups=groups):
        fold = fit(matrix[places[train]], answerable[places[train]], names)
        probabilities[places[test]] = fold.probabilities(matrix[places[test]])
    ours = np.array([row.kind.startswith("documents") for row in rows])
    data = answerable[learnt].mean()
    shift = np.log(_PRIOR / (1 - _PRIOR)) - np.log(data / (1 - data))
    probabilities = expit(logit(probabilities) + shift)
    threshold = float(np.quantile(probabilities[learnt & answerable & ~ours], FALSE_DECLINES))
    sys.stdout.write(f"threshold {threshold:.3f}; declined:\n")
    kinds = np.array([f"{row.kind}, held out" if row.held_out else row.kind for row in rows])
    for kind in sorted(set(kinds)):
        mask = kinds == kind
        sys.stdout.write(f"  {kind:40}{(probabilities[mask] < threshold).mean():.3f}  of {mask.sum()}\n")
    columns = zip(names, model.mean, model.scale, model.weights, strict=True)
    gate = {
        "trained_on": f"{learnt.sum()} questions, `make gate`",
        "threshold": round(threshold, 4),
        "bias": round(model.bias + float(shift), 4),
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


def from_training_data() -> list[Measured]:
    """Return rows of the training data, over the shipped digests.

    First trains what features depend on: what tells the subject.
    """
    every = [row for row in read_rows() if row.kind != "statement"]
    rows = random.Random(0).sample(every, len(every))
    answered = [row for row in rows if is_answered(row)][:_ANSWERED]
    rows = [*answered, *[row for row in rows if not is_answered(row)][:_UNANSWERED]]
    with tempfile.TemporaryDirectory() as home:
        factory = AssistantFactory(Settings(home=Path(home), reader=False))
        subject = train_subject(rows, factory.embedder)
        load_subject.cache_clear()
        assistant = factory.assistant()
        return [
            Measured(
                features={
                    **assistant.examine(row.text, row.history).features,
                    **({} if row.history else {"on_subject": clipped(odds)}),
                },
                answerable=is_answered(row),
                kind="answered" if is_answered(row) else "near miss" if row.sections else "off the subject",
                group=next(iter(row.sections), row.id),
                held_out=row.held_out,
            )
            for row, odds in zip(rows, subject.tolist(), strict=True)
            if not assistant.is_unmentioned(row.text, row.history)
        ]


def from_documents(documents: Path, paths: Sequence[Path]) -> list[Measured]:
    """Return our own questions, over the release documents without the digests."""
    with tempfile.TemporaryDirectory() as home:
        factory = AssistantFactory(Settings(home=Path(home), shipped_corpus=False, reader=False))
        factory.update(list(load(documents, on_skip=lambda error: None)))
        assistant = factory.assistant()
        return [
            Measured(
                features=assistant.examine(question.text, question.history).features,
                answerable=question.answerable,
                kind=f"documents, {'answered' if question.answerable else question.kind}",
                group=f"own {number}",
            )
            for number, question in enumerate(read_questions(paths))
            if not assistant.is_unmentioned(question.text, question.history)
        ]


if __name__ == "__main__":
    raise SystemExit(main())

"""Train the orders of passages and of sentences (`make ranking`).

A passage that answers a question should stand before one that does not, and a sentence that holds a fact of
its answer before one that holds none: logistic regressions on the differences of such pairs. Passages learn
from the questions of training/data over the shipped digests, and are measured on its held-out sections;
sentences learn from our own questions over the release documents, with and without the digests, and are
measured in ten folds. Prints how high the right ones stand, before and after, and writes
assistant/retrieval/rerank.json and assistant/retrieval/sentences.json.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from assistant.evaluation.gold import GoldQuestion
from assistant.evaluation.loader import read_questions
from assistant.evaluation.scoring import fold
from assistant.factory import AssistantFactory
from assistant.retrieval import reranker as rerank
from assistant.retrieval import sentences
from assistant.retrieval.searcher import MAX_PASSAGES, Candidates
from assistant.retrieval.sentences import text_of
from assistant.settings import Settings
from index.search.passage import Passage
from ingest.loaders import load
from training.rows import read_rows

_FOLDS = 10
_TOP = 5
_MOST_GOOD, _MOST_BAD = 4, 25  # of a question, that make pairs
_ROWS = 3000  # of training/data: more change the weights by less than the last digit that counts
_RELEASE = re.compile(r"[12]\.\d{1,2}")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one question orders.

    Attributes:
        features: of each thing, in the order they have now.
        good: which of them should stand first, (things,).
        group: the number of the question.
    """

    features: Sequence[Mapping[str, float]]
    good: NDArray[np.bool_]
    group: int

    @property
    def matrix(self) -> Floats:
        """The features as numbers, (things, features)."""
        return np.array([list(row.values()) for row in self.features], np.float64)

    def by(self, weights: Floats) -> NDArray[np.bool_]:
        """Return which are good, in the order of weights, (things,)."""
        return self.good[np.argsort(-(self.matrix @ weights), kind="stable")]


Found = tuple[int, GoldQuestion, Candidates]  # a question's number, the question, what it finds


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", type=Path, help="the folder of release documents")
    parser.add_argument("questions", type=Path, nargs="+", help="questions, one JSON object a line")
    arguments = parser.parse_args()
    questions = [question for question in read_questions(arguments.questions) if question.answerable]
    with tempfile.TemporaryDirectory() as home:
        weights = train_passages(Path(home))
    told = f"{len(questions)} questions, `make ranking`"
    with tempfile.TemporaryDirectory() as alone, tempfile.TemporaryDirectory() as both:
        homes = {Path(alone): False, Path(both): True}
        found = [
            row for home in homes for row in candidates(arguments.documents, questions, home, homes[home])
        ]
    train("sentences", [ranked_sentences(row, weights) for row in found], sentences.MODEL, told, penalty=2000)
    return 0


def train_passages(home: Path) -> Mapping[str, float]:
    """Fit the order of passages to rows of the training data, and write it.

    Args:
        home: of an index of the shipped digests, made where there is none.
    """
    assistant = AssistantFactory(Settings(home=home)).assistant()
    rows = [row for row in read_rows() if row.answers and all(row.answers)]
    rows = random.Random(0).sample([row for row in rows if row.kind in ("question", "polar")], _ROWS)
    learnt: list[Ranked] = []
    held_out: list[Ranked] = []
    for number, row in enumerate(rows):
        got = assistant.candidates(row.text, row.history)
        good = [f"{passage.version}/{passage.chunk.section_id}" in row.sections for passage in got.passages]
        compared = rerank.compared(got.question, got.passages, got.relevance)
        if compared:
            ranked = Ranked(compared, np.array(good, np.bool_), number)
            (held_out if row.held_out else learnt).append(ranked)
    usable = [row for row in learnt if row.good.any() and not row.good.all()]
    fitted = fit(usable, penalty=100)
    names = list(usable[0].features[0])
    now = np.array([rerank.load_weights()[name] for name in names])
    for name, weights in (("now", now), ("trained", fitted)):
        report("passages", name, [place(row.by(weights)) for row in held_out])
    return write(rerank.MODEL, names, fitted, f"{len(usable)} questions of training/, `make ranking`")


def candidates(
    documents: Path, questions: Sequence[GoldQuestion], home: Path, shipped: bool
) -> Iterator[Found]:
    """What an index of the documents gives for each question."""
    factory = AssistantFactory(Settings(home=home, shipped_corpus=shipped))
    factory.update(list(load(documents, on_skip=lambda error: None)))
    assistant = factory.assistant()
    for number, question in enumerate(questions):
        yield number, question, assistant.candidates(question.text, question.history)


def ranked_sentences(found: Found, weights: Mapping[str, float]) -> Ranked:
    """The sentences of the passages that come first by trained weights, those with a fact good."""
    number, asked, got = found
    near = got.native(rerank.rerank(got.question, got.passages, got.relevance, weights))[:MAX_PASSAGES]
    rows = sentences.features(got.question, near, got.relevance)
    good = [tells(near[place], text_of(near[place], sentence), asked) for _, place, sentence in rows]
    return Ranked([row for row, _, _ in rows], np.array(good, np.bool_), number)


def train(what: str, rows: Sequence[Ranked], path: Path, told: str, *, penalty: float) -> Mapping[str, float]:
    """Print how an order does on questions held out, fit it to all and write it."""
    usable = [row for row in rows if row.good.any() and not row.good.all()]
    groups = [row.group for row in usable]
    before = [place(row.good) for row in usable]
    after: list[tuple[float, float, float]] = []
    for learnt, left in GroupKFold(_FOLDS, shuffle=True, random_state=0).split(groups, groups=groups):
        weights = fit([usable[number] for number in learnt], penalty)
        held_out = [usable[number] for number in left]
        after += [place(row.by(weights)) for row in held_out]
    for name, places in (("now", before), ("trained", after)):
        report(what, name, places)
    return write(path, list(usable[0].features[0]), fit(usable, penalty), told)


def report(what: str, name: str, places: Sequence[tuple[float, float, float]]) -> None:
    """Print how high the good ones stand."""
    top, few, reciprocal = np.mean(places, axis=0)
    sys.stdout.write(
        f"{what:10}{name:8} first {top:.3f}, among the first {_TOP} {few:.3f}, reciprocal {reciprocal:.3f}, "
        f"{len(places)} held out\n"
    )


def write(path: Path, names: Sequence[str], fitted: Floats, told: str) -> Mapping[str, float]:
    """Write weights and return them as written."""
    weighted = {name: round(float(weight), 4) for name, weight in zip(names, fitted, strict=True)}
    path.write_text(json.dumps({"trained_on": told, "weights": weighted}, indent=1) + "\n", encoding="utf-8")
    return weighted


def fit(rows: Sequence[Ranked], penalty: float) -> Floats:
    """Weights under which the good ones score higher, (features,)."""
    pairs = [
        row.matrix[good] - row.matrix[bad]
        for row in rows
        for good in np.flatnonzero(row.good)[:_MOST_GOOD]
        for bad in np.flatnonzero(~row.good)[:_MOST_BAD]
    ]
    differences = np.array(pairs)
    scale = differences.std(axis=0) + 1e-9
    both = np.vstack([differences / scale, -differences / scale])
    sides = np.repeat([1, 0], len(differences))
    model = LogisticRegression(C=1 / penalty, fit_intercept=False, max_iter=1000).fit(both, sides)
    weights: Floats = model.coef_[0] / scale
    return weights


def place(good: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Whether a good one is first, whether one is among the first, and one through its place."""
    first = np.flatnonzero(good)
    return float(good[:1].any()), float(good[:_TOP].any()), 1 / (1 + int(first[0])) if len(first) else 0.0


def tells(passage: Passage, sentence: str, question: GoldQuestion) -> bool:
    """Whether a sentence has a fact of the answer; a release is told above it, not in it."""
    if passage.release not in {evidence.release for evidence in question.evidence}:
        return False
    text = fold(sentence)
    facts = [forms for forms in question.facts if not any(map(_RELEASE.fullmatch, forms))]
    return any(fold(form) in text for forms in facts for form in forms)


if __name__ == "__main__":
    raise SystemExit(main())

"""Train the orders of passages and of sentences (`make ranking`).

Reads our own questions. A passage that holds the evidence of a question should stand before one that does
not, and a sentence that holds a fact of its answer before one that holds none: logistic regressions on the
differences of such pairs, found with and without the shipped digests. Prints how high the right ones stand,
before and after, on questions held out (ten folds), and writes assistant/retrieval/rerank.json and
assistant/retrieval/sentences.json.
"""

from __future__ import annotations

import argparse
import json
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

_FOLDS = 10
_TOP = 5
_MOST_GOOD, _MOST_BAD = 4, 25  # of a question, that make pairs
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


Found = tuple[int, GoldQuestion, Candidates]  # a question's number, the question, what it finds


def main() -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", type=Path, help="the folder of release documents")
    parser.add_argument("questions", type=Path, nargs="+", help="questions, one JSON object a line")
    arguments = parser.parse_args()
    questions = [question for question in read_questions(arguments.questions) if question.answerable]
    told = f"{len(questions)} questions, `make ranking`"
    with tempfile.TemporaryDirectory() as alone, tempfile.TemporaryDirectory() as both:
        homes = {Path(alone): False, Path(both): True}
        found = [
            row for home in homes for row in candidates(arguments.documents, questions, home, homes[home])
        ]
    weights = train("passages", list(map(ranked_passages, found)), rerank.MODEL, told, penalty=100)
    train("sentences", [ranked_sentences(row, weights) for row in found], sentences.MODEL, told, penalty=2000)
    return 0


def candidates(
    documents: Path, questions: Sequence[GoldQuestion], home: Path, shipped: bool
) -> Iterator[Found]:
    """What an index of the documents gives for each question."""
    factory = AssistantFactory(Settings(home=home, shipped_corpus=shipped))
    factory.update(list(load(documents, on_skip=lambda error: None)))
    assistant = factory.assistant()
    for number, question in enumerate(questions):
        yield number, question, assistant.candidates(question.text, question.history)


def ranked_passages(found: Found) -> Ranked:
    """The passages that retrieval found for a question, those with its evidence good."""
    number, asked, got = found
    rows = rerank.compared(got.question, got.passages, got.relevance)
    return Ranked(rows, np.array([holds(passage, asked) for passage in got.passages], np.bool_), number)


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
    after: list[tuple[float, float]] = []
    for learnt, left in GroupKFold(_FOLDS, shuffle=True, random_state=0).split(groups, groups=groups):
        weights = fit([usable[number] for number in learnt], penalty)
        held_out = [usable[number] for number in left]
        after += [place(row.good[np.argsort(-(row.matrix @ weights), kind="stable")]) for row in held_out]
    for name, places in (("now", before), ("trained", after)):
        first, reciprocal = np.mean(places, axis=0)
        sys.stdout.write(
            f"{what:10}{name:8} among the first {_TOP} {first:.3f}, reciprocal {reciprocal:.3f}\n"
        )
    names, fitted = list(usable[0].features[0]), fit(usable, penalty)
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


def place(good: NDArray[np.bool_]) -> tuple[float, float]:
    """Whether a good one is among the first, and one through its place."""
    first = np.flatnonzero(good)
    return float(good[:_TOP].any()), 1 / (1 + int(first[0])) if len(first) else 0.0


def holds(passage: Passage, question: GoldQuestion) -> bool:
    """Whether a passage of the right release has the evidence of a question, or the facts of its answer."""
    wanted = [evidence.keys for evidence in question.evidence if evidence.release == passage.release]
    if wanted:
        wanted.append(question.facts)
    text = fold(passage.text)
    return any(all(any(fold(form) in text for form in forms) for forms in keys) for keys in wanted)


def tells(passage: Passage, sentence: str, question: GoldQuestion) -> bool:
    """Whether a sentence has a fact of the answer; a release is told above it, not in it."""
    if passage.release not in {evidence.release for evidence in question.evidence}:
        return False
    text = fold(sentence)
    facts = [forms for forms in question.facts if not any(map(_RELEASE.fullmatch, forms))]
    return any(fold(form) in text for forms in facts for form in forms)


if __name__ == "__main__":
    raise SystemExit(main())

"""Fit the orders of passages and of sentences (`make ranking`).

A passage of a section that answers should stand before the others, and a sentence with a fact of the answer
before those that have none: logistic regressions on the differences of such pairs. Passages learn from the
training data over the shipped digests, and are measured on the sections held out. Sentences learn from these,
and from our own questions, whose facts are named, over the release documents with and without the digests,
and are measured on the sections and on a fifth of the questions that are held out: only with --sentences, for
a constant in assistant/answering/selection.py depends on the scale of their weights. What the writer of a row
wrote is not known when it is asked. Writes assistant/retrieval/rerank.json and sentences.json.
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

from assistant.assistant import Assistant
from assistant.evaluation.gold import GoldQuestion
from assistant.evaluation.loader import read_questions
from assistant.evaluation.scoring import fold
from assistant.factory import AssistantFactory
from assistant.retrieval import reranker, sentences
from assistant.retrieval.known_questions import section_name
from assistant.retrieval.searcher import MAX_PASSAGES
from assistant.retrieval.sentences import text_of
from assistant.settings import Settings
from index.search.passage import Passage, ScoredSentence
from ingest.loaders import load
from training.questions import unknown_to, well_known
from training.rows import Row, read_rows

_TOP = 5
_MOST_RIGHT, _MOST_WRONG = 4, 25  # of a question, that make pairs
_ROWS = 4000  # more change the weights by less than the last digit that counts
_PENALTY = {"passages": 100, "sentences": 2000}
_FIFTH = 5
_RELEASE = re.compile(r"[12]\.\d{1,2}")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one question orders.

    Attributes:
        features: of each passage or sentence, in the order they have now.
        right: which of them should stand first, (things,).
        held_out: whether the question is only measured.
    """

    features: Sequence[Mapping[str, float]]
    right: NDArray[np.bool_]
    held_out: bool

    @property
    def matrix(self) -> Floats:
        """The features as numbers, (things, features)."""
        return np.array([list(row.values()) for row in self.features], np.float64)

    def ordered(self, weights: Floats) -> NDArray[np.bool_]:
        """Return which are right, in the order that weights give, (things,)."""
        return self.right[np.argsort(-(self.matrix @ weights), kind="stable")]


def main() -> int:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("documents", type=Path, help="the folder of release documents")
    parser.add_argument("questions", type=Path, nargs="+", help="our own questions, one JSON object a line")
    parser.add_argument("--sentences", action="store_true", help="fit the order of sentences too")
    arguments = parser.parse_args()
    rows = [row for row in well_known(list(read_rows())) if row.answers and all(row.answers)]
    rows = random.Random(0).sample(rows, min(_ROWS, len(rows)))
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        passages = [ranked_passages(asked, row) for asked, row in unknown_to(assistant, rows)]
        write(reranker.MODEL, fitted("passages", passages, reranker.load_weights()))
        if not arguments.sentences:
            return 0
        reranker.load_weights.cache_clear()
        seen = [row for row in rows if row.view == row.language]  # the answer has the sentences that it names
        quotes = [ranked_answers(asked, row) for asked, row in unknown_to(assistant, seen)]
    questions = [question for question in read_questions(arguments.questions) if question.answerable]
    for shipped in (False, True):
        quotes += ranked_sentences(arguments.documents, questions, shipped=shipped)
    write(sentences.MODEL, fitted("sentences", quotes, sentences.load_weights()))
    return 0


def ranked_passages(assistant: Assistant, row: Row) -> Ranked:
    """Return what retrieval finds for a row; passages of its sections are right."""
    got = assistant.candidates(row.text, row.history)
    features = reranker.compared(got.question, got.passages, got.relevance, got.near, got.elsewhere)
    right = np.array([section_name(passage) in row.sections for passage in got.passages], np.bool_)
    return Ranked(features, right, row.held_out)


def ranked_answers(assistant: Assistant, row: Row) -> Ranked:
    """Return the sentences of the passages that come first for a row; those that it names are right."""
    near, rows = first_sentences(assistant, row.text, row.history)
    named = {section: tuple(openings) for section, openings in zip(row.sections, row.answers, strict=True)}
    right = [text_of(near[at], s).startswith(named.get(section_name(near[at]), ("\0",))) for _, at, s in rows]
    return Ranked([features for features, _, _ in rows], np.array(right, np.bool_), row.held_out)


def first_sentences(
    assistant: Assistant, question: str, history: Sequence[str]
) -> tuple[list[Passage], list[tuple[dict[str, float], int, ScoredSentence]]]:
    """Return the passages that come first for a question, and what counts of their sentences."""
    got = assistant.candidates(question, history)
    order = reranker.rerank(got.question, got.passages, got.relevance, got.near, got.elsewhere)
    near = got.native(order)[:MAX_PASSAGES]
    return near, sentences.features(got.question, near, got.relevance, got.near)


def ranked_sentences(
    documents: Path, questions: Sequence[GoldQuestion], *, shipped: bool
) -> Iterator[Ranked]:
    """Yield the sentences of the passages that come first for each question; those with a fact are right.

    Args:
        documents: that are indexed.
        questions: with the facts of their answers. Every fifth is held out.
        shipped: whether the digests are indexed too.
    """
    with tempfile.TemporaryDirectory() as home:
        factory = AssistantFactory(Settings(home=Path(home), shipped_corpus=shipped))
        factory.update(list(load(documents, on_skip=lambda error: None)))
        assistant = factory.assistant()
        for number, question in enumerate(questions):
            near, rows = first_sentences(assistant, question.text, question.history)
            right = [has_fact(near[at], text_of(near[at], sentence), question) for _, at, sentence in rows]
            features = [row for row, _, _ in rows]
            yield Ranked(features, np.array(right, np.bool_), held_out=number % _FIFTH == 0)


def has_fact(passage: Passage, sentence: str, question: GoldQuestion) -> bool:
    """Return whether a sentence has a fact of the answer; a release is told above it, not in it."""
    if passage.release not in {evidence.release for evidence in question.evidence}:
        return False
    text = fold(sentence)
    facts = [forms for forms in question.facts if not any(map(_RELEASE.fullmatch, forms))]
    return any(fold(form) in text for forms in facts for form in forms)


def fitted(what: str, rows: Sequence[Ranked], now: Mapping[str, float]) -> Mapping[str, float]:
    """Print how an order does on what is held out, as it is and fitted, and return the fitted one."""
    usable = [row for row in rows if row.right.any() and not row.right.all()]
    weights = fit([row for row in usable if not row.held_out], _PENALTY[what])
    names = list(usable[0].features[0])
    held_out = [row for row in usable if row.held_out]
    for name, some in (("now", np.array([now.get(name, 0.0) for name in names])), ("fitted", weights)):
        first, few, reciprocal = np.mean([place(row.ordered(some)) for row in held_out], axis=0)
        sys.stdout.write(
            f"{what:10}{name:8} first {first:.3f}, among the first {_TOP} {few:.3f}, "
            f"reciprocal {reciprocal:.3f}, {len(held_out)} held out that have a right one\n"
        )
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def fit(rows: Sequence[Ranked], penalty: float) -> Floats:
    """Return weights under which the right ones score higher, (features,)."""
    pairs = [
        row.matrix[right] - row.matrix[wrong]
        for row in rows
        for right in np.flatnonzero(row.right)[:_MOST_RIGHT]
        for wrong in np.flatnonzero(~row.right)[:_MOST_WRONG]
    ]
    differences = np.array(pairs)
    scale = differences.std(axis=0) + 1e-9
    both = np.vstack([differences / scale, -differences / scale])
    sides = np.repeat([1, 0], len(differences))
    model = LogisticRegression(C=1 / penalty, fit_intercept=False, max_iter=1000).fit(both, sides)
    weights: Floats = model.coef_[0] / scale
    return weights


def place(right: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Return whether a right one is first, whether one is among the first, and one through its place."""
    first = np.flatnonzero(right)
    return float(right[:1].any()), float(right[:_TOP].any()), 1 / (1 + int(first[0])) if len(first) else 0.0


def write(path: Path, weights: Mapping[str, float]) -> None:
    """Write weights."""
    trained = {"trained_on": "`make ranking`", "weights": weights}
    path.write_text(json.dumps(trained, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())

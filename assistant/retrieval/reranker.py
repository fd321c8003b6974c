"""Reranking: the passages that retrieval found, ordered by a trained comparison of what they hold.

The fusion of ranks knows where a passage stood in each list; this looks at the passage itself: how much of
the question its best sentence holds, whether the names asked for stand in it, whether it has the kind of
thing asked for. The weights are those of a logistic regression on differences of pairs (Joachims 2002,
"Optimizing Search Engines using Clickthrough Data", with a logistic loss), trained by `make ranking`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from assistant.query.answer_type import missing
from assistant.query.entities import entities, share_named
from assistant.query.question import Question
from assistant.retrieval.known_questions import NONE_NEAR, NearQuestions
from assistant.retrieval.relevance import Relevance
from assistant.retrieval.sentences import QUOTABLE, text_of
from index.search.passage import Passage
from ingest.chunk import lexical_text

MODEL = Path(__file__).with_name("rerank.json")
DEPTH = 16  # passages compared
_LISTS = ("sentence", "lexical", "widened")


def rerank(
    question: Question,
    passages: Sequence[Passage],
    relevance: Relevance,
    near: NearQuestions = NONE_NEAR,
    elsewhere: float = 0.0,
    weights: Mapping[str, float] | None = None,
) -> list[Passage]:
    """Passages by what they hold of a question, best first; the scores go on falling from the first one's.

    Args:
        question: the question.
        passages: best first as retrieval found them.
        relevance: terms of the question with their weights.
        near: known questions that are like the question.
        elsewhere: probability that another release than those named answers.
        weights: of the features; None: the trained ones.
    """
    if len(passages) < 2:
        return list(passages)
    weights = load_weights() if weights is None else weights
    rows = compared(question, passages[:DEPTH], relevance, near, elsewhere)
    scores = [sum(weights[name] * value for name, value in row.items()) for row in rows]
    order = sorted(range(len(rows)), key=lambda place: -scores[place])
    fused = sorted((passage.score for passage in passages[:DEPTH]), reverse=True)
    best = [replace(passages[place], score=score) for place, score in zip(order, fused, strict=True)]
    return [*best, *passages[DEPTH:]]


def compared(
    question: Question,
    passages: Sequence[Passage],
    relevance: Relevance,
    near: NearQuestions,
    elsewhere: float = 0.0,
) -> list[dict[str, float]]:
    """What is compared of each passage.

    Args:
        question: the question.
        passages: best first as retrieval found them.
        relevance: terms of the question with their weights.
        near: known questions that are like the question.
        elsewhere: probability that another release than those named answers.
    """
    names = entities(question)
    return [
        {
            **_features(question, names, passage, passages[0].score, relevance),
            "known": near.likeness(passage),
            **_place(question, passage, elsewhere),
        }
        for passage in passages
    ]


def _place(question: Question, passage: Passage, elsewhere: float) -> dict[str, float]:
    """Return whether a passage is of another release than those asked for, and how much that is expected."""
    outside = float(bool(question.releases) and passage.release not in question.releases)
    later = float(bool(outside and passage.release and passage.release > max(question.releases)))
    return {"outside": outside, "outside_expected": outside * elsewhere, "later_expected": later * elsewhere}


@lru_cache(maxsize=1)
def load_weights(path: Path = MODEL) -> Mapping[str, float]:
    """The trained weights.

    Args:
        path: JSON file with the weights.
    """
    weights: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))["weights"]
    return weights


def _features(
    question: Question,
    names: Sequence[Sequence[str]],
    passage: Passage,
    top: float,
    relevance: Relevance,
) -> dict[str, float]:
    text = lexical_text(passage.chunk, passage.document)
    quotable = [s for s in passage.sentences if s.span.kind in QUOTABLE]
    cosines = sorted((s.cosine for s in quotable), reverse=True) or [0.0]
    sentences = (text_of(passage, sentence) for sentence in quotable)
    return {
        "score": passage.score / top if top else 0.0,
        "cosine": passage.cosine,
        "sentence_cosine": cosines[0],
        "next_cosine": cosines[min(1, len(cosines) - 1)],
        "coverage": relevance.typed_coverage(text),
        "sentence_coverage": max(map(relevance.typed_coverage, sentences), default=0.0),
        "widened_coverage": relevance.widened_coverage(text),
        "names": share_named(names, text),
        "asked_missing": float(missing(question.clean, [passage.text])),
        **{f"rank_{name}": _nearness(passage.ranks.get(name)) for name in _LISTS},
    }


def _nearness(rank: int | None) -> float:
    """A place in a list as the fusion counts it: 0.9 for the first, 0 for none."""
    return 10 / (10 + rank) if rank else 0.0

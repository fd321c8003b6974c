"""Relevance: shares of a question's weight."""

from __future__ import annotations

import pytest

from assistant.retrieval.relevance import Relevance

WORDS = Relevance.of(
    ["libuv", "store"],
    {"libuv": 1.0, "backend": 0.5},
    {"libuv": 3.0, "store": 1.0, "backend": 2.0}.__getitem__,
    lambda text: set(text.split()),
    lambda _one, _other: 0.0,
)


@pytest.mark.parametrize(
    ("text", "typed", "widened", "both"),
    [
        pytest.param("store libuv backend", 1.0, 1.0, 1.0, id="all"),
        pytest.param("libuv", 0.75, 0.0, 3.0 / 4.3, id="the telling word"),
        pytest.param("backend", 0.0, 1.0, 0.3 / 4.3, id="an added word counts less"),
        pytest.param("nothing", 0.0, 0.0, 0.0, id="none"),
    ],
)
def test_shares_follow_the_weights(text: str, typed: float, widened: float, both: float) -> None:
    assert WORDS.typed_coverage(text) == pytest.approx(typed)
    assert WORDS.widened_coverage(text) == pytest.approx(widened)
    assert WORDS.coverage(text) == pytest.approx(both)


def test_a_question_without_words_covers_nothing() -> None:
    empty = Relevance({}, {}, lambda text: text.split())
    assert empty.coverage("a") == empty.typed_coverage("a") == empty.widened_coverage("a") == 0.0

"""Reranking: what a passage holds decides, the scores keep falling."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assistant.retrieval.known_questions import NONE_NEAR, NearQuestions, section_name
from assistant.retrieval.reranker import DEPTH, MODEL, compared, load_weights, rerank
from tests.assistant.passages import passage, question, relevance

ASKED = "Which backend does TCPStore use?"
WHEELS = passage("## Wheels\n\nWheels are smaller.\n", score=0.9)
STORE = passage("## TCPStore\n\nThe TCPStore backend is libuv.\n", score=0.5)


def test_the_passage_that_holds_the_question_comes_first() -> None:
    asked = question(ASKED)
    found = rerank(asked, [WHEELS, STORE], relevance(asked))
    assert [p.chunk.id for p in found] == [STORE.chunk.id, WHEELS.chunk.id]
    assert [p.score for p in found] == [0.9, 0.5]


def test_weights_decide() -> None:
    asked = question(ASKED)
    only = dict.fromkeys(load_weights(), 0.0) | {"score": 1.0}
    found = rerank(asked, [WHEELS, STORE], relevance(asked), weights=only)
    assert found == [WHEELS, STORE]


@pytest.mark.parametrize("count", [0, 1])
def test_there_is_nothing_to_order(count: int) -> None:
    asked = question(ASKED)
    assert rerank(asked, [WHEELS][:count], relevance(asked)) == [WHEELS][:count]


def test_passages_below_the_depth_stay_where_they_are() -> None:
    asked = question(ASKED)
    many = [replace(WHEELS, score=1 / place) for place in range(1, DEPTH + 1)]
    assert rerank(asked, [*many, STORE], relevance(asked))[-1] == STORE


def test_the_weights_that_ship_are_of_the_features() -> None:
    asked = question(ASKED)
    (row,) = compared(asked, [STORE], relevance(asked), NONE_NEAR)
    assert set(row) == set(load_weights()) == set(json.loads(MODEL.read_text(encoding="utf-8"))["weights"])


def test_a_passage_is_seen_as_it_is() -> None:
    asked = question(ASKED)
    store, wheels = compared(asked, [STORE, WHEELS], relevance(asked), NONE_NEAR)
    assert store["names"] == 1.0 and wheels["names"] == 0.0
    assert store["sentence_coverage"] > wheels["sentence_coverage"] == 0.0
    assert store["score"] == 1.0 and wheels["score"] == pytest.approx(0.9 / 0.5)
    found = replace(STORE, ranks={"lexical": 1})
    assert compared(asked, [found], relevance(asked), NONE_NEAR)[0]["rank_lexical"] == pytest.approx(10 / 11)


def test_a_section_that_answers_a_question_like_it_comes_first() -> None:
    """The passage about something else holds no word of the question, but a known one is like it."""
    asked = question(ASKED)
    wheels = replace(WHEELS, document=replace(WHEELS.document, kind="digest"))
    near = NearQuestions({section_name(wheels): 0.4})
    before, after = (compared(asked, [STORE, wheels], relevance(asked), each) for each in (NONE_NEAR, near))
    assert [row["known"] for row in before] == [0.0, 0.0]
    assert [row["known"] for row in after] == [0.0, 0.4]
    assert load_weights()["known"] > 0

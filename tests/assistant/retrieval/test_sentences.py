"""Sentences: what counts, and that the weights which ship know all of it."""

from __future__ import annotations

import pytest

from assistant.retrieval.known_questions import NONE_NEAR, NearQuestions, sentence_key
from assistant.retrieval.sentences import features, load_weights, score, text_of
from assistant.text.markdown import points_elsewhere, shown_length
from tests.assistant.passages import passage, question, relevance

ASKED = "How much faster is the TCPStore backend?"
NOTES = passage(
    "## TCPStore\n\nThe TCPStore backend is libuv. It starts 16x faster. See the tutorial at https://x.y/z.\n"
)


def rows(text: str = ASKED) -> dict[str, dict[str, float]]:
    asked = question(text)
    return {text_of(NOTES, s): row for row, _, s in features(asked, [NOTES], relevance(asked), NONE_NEAR)}


def test_the_weights_that_ship_are_of_the_features() -> None:
    assert all(set(row) == set(load_weights()) for row in rows().values())


def test_names_figures_and_pointers_are_seen() -> None:
    store, faster, pointer = rows().values()
    assert store["names"] > faster["names"]
    assert faster["asked"] == 1.0 and store["asked"] == 0.0
    assert pointer["pointer"] == 1.0 and store["pointer"] == faster["pointer"] == 0.0
    assert store["coverage"] == faster["coverage_before"] > faster["coverage"] == store["coverage_after"]


def test_scores_are_weighted_sums() -> None:
    asked = question(ASKED)
    only = dict.fromkeys(load_weights(), 0.0) | {"asked": 2.0}
    quotes = score(asked, [NOTES], relevance(asked), weights=only)
    assert [quote.score for quote in quotes] == [0.0, 2.0, 0.0]
    assert [quote.place for quote in quotes] == [0, 0, 0]


def test_headings_and_short_words_are_not_quoted() -> None:
    asked = question(ASKED)
    found = passage("## TCPStore\n\nYes. The TCPStore backend is libuv.\n")
    quotes = score(asked, [found], relevance(asked))
    assert [text_of(found, quote.sentence) for quote in quotes] == ["The TCPStore backend is libuv."]
    assert score(asked, [], relevance(asked)) == []


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("For more details, see the tutorial.", True),
        ("更多信息请参阅教程。", True),
        ("文档：https://pytorch.org/docs", True),
        ("TCPStore uses libuv.", False),
        ("TCPStore 默认使用 libuv。", False),
    ],
)
def test_a_sentence_may_only_point_elsewhere(text: str, points: bool) -> None:
    assert points_elsewhere(text) == points


def test_length_is_that_of_what_is_shown() -> None:
    assert shown_length("a  **c**\n") == 2


@pytest.mark.parametrize(
    ("text", "used", "named"),
    [
        ("How do I use FSDP2?", "To use FSDP2, call `fully_shard`.", "FSDP2 is in `torch.distributed`."),
        ("FSDP2 怎么用", "用法是对模块调用 `fully_shard`。", "FSDP2 位于 `torch.distributed`。"),
    ],
)
def test_a_question_of_how_wants_what_opens_by_telling(text: str, used: str, named: str) -> None:
    asked = question(text)
    found = passage(f"## FSDP2\n\n{named} {used}\n")
    form = {
        text_of(found, s): row["form"] for row, _, s in features(asked, [found], relevance(asked), NONE_NEAR)
    }
    assert form[used] > form[named] > 0


def test_a_sentence_that_answers_a_question_like_it_counts() -> None:
    asked = question(ASKED)
    near = NearQuestions(sentences={sentence_key("It starts 16x faster."): 0.3})
    found = features(asked, [NOTES], relevance(asked), near)
    assert [row["known"] for row, _, _ in found] == [0.0, 0.3, 0.0]
    assert load_weights()["known"] > 0

"""Usefulness: what tells whether an answer needs a sentence, and when that is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.reader.reading import PassageReading
from assistant.retrieval.known_questions import NONE_NEAR, NearQuestions, section_name, sentence_key
from assistant.retrieval.reading import NOTHING_READ, Readings
from assistant.retrieval.sentences import score
from assistant.retrieval.usefulness import measured, needs, useful
from index.search.passage import Passage
from tests.assistant.passages import passage, question, relevance
from tests.assistant.retrieval.test_known_questions import known

BACKEND, SPEED, EXAMPLE = (
    "The TCPStore backend is libuv.",
    "It starts 16x faster.",
    "One process runs it here.",
)
ASKED = question("What is the TCPStore backend?")


def digest() -> Passage:
    found = passage(f"## TCPStore\n\n{BACKEND} {SPEED} {EXAMPLE}\n")
    return replace(found, document=replace(found.document, kind="digest"))


STORE = digest()
QUOTES = score(ASKED, [STORE], relevance(ASKED))
NEAR = NearQuestions({section_name(STORE): 0.2}, 0.0, {sentence_key(BACKEND): 0.2})


def readings(passage: float, *sentences: float) -> Readings:
    return Readings([PassageReading(passage, dict(enumerate(sentences)))], [STORE.chunk.id])


def test_nothing_is_known_where_nothing_was_read_or_no_question_is_known() -> None:
    assert useful(QUOTES, [STORE], NEAR, NOTHING_READ) is None
    assert useful(QUOTES, [STORE], NONE_NEAR, readings(2.0, 2.0)) is None
    assert useful([], [STORE], NEAR, readings(2.0, 2.0)) is None
    assert useful(QUOTES, [STORE], NEAR, readings(2.0, 2.0)) is not None


def test_what_the_reader_finds_counts() -> None:
    def odds(*sentences: float) -> list[float]:
        found = useful(QUOTES, [STORE], NEAR, readings(2.0, *sentences))
        assert found is not None and [quote.sentence for quote in found] == [q.sentence for q in QUOTES]
        return [quote.score for quote in found]

    liked, disliked = odds(3.0, -3.0, 3.0), odds(3.0, -3.0, -3.0)
    assert liked[2] > disliked[2] and liked[0] == disliked[0]


def test_a_sentence_that_answers_a_known_question_counts_more() -> None:
    asked_of = replace(NEAR, sentences={sentence_key(EXAMPLE): 0.3})
    first, second = (useful(QUOTES, [STORE], near, readings(1.0)) for near in (NEAR, asked_of))
    assert first is not None and second is not None
    assert second[2].score > first[2].score


def test_values_are_those_of_quote_passage_and_question() -> None:
    rows = measured(QUOTES, [STORE], NEAR, readings(1.5, 2.0, -1.0))
    backend, speed, example = rows
    best = max(quote.score for quote in QUOTES)
    assert [row["behind"] for row in rows] == pytest.approx([quote.score - best for quote in QUOTES])
    assert (backend["read"], backend["read_behind"], speed["read_behind"]) == (2.0, 0.0, -3.0)
    assert (backend["unread"], example["unread"]) == (0.0, 1.0)  # the third one had no room
    assert {row["passage"] for row in rows} == {1.5} and {row["passage_behind"] for row in rows} == {0.0}
    assert (backend["known"], speed["known"], speed["known_behind"]) == (0.2, 0.0, -0.2)
    assert (backend["opens"], speed["opens"]) == (1.0, 0.0)
    assert all(row["unasked"] for row in rows)


def test_how_often_a_sentence_was_asked_for_counts() -> None:
    lamps = replace(NEAR, known=known())
    assert (lamps.asked_in("9.1/lamps"), lamps.asked_in("9.1/doors"), lamps.asked_in("9.1/roofs")) == (
        2,
        1,
        0,
    )
    assert [lamps.asked_of(sentence_key(text)) for text in ("Lamps dim.", "Doors lock.", "Roofs.")] == [
        2,
        2,
        0,
    ]
    assert NONE_NEAR.asked_in("9.1/lamps") == NONE_NEAR.asked_of(sentence_key("Lamps dim.")) == 0


def test_a_sentence_is_needed_from_some_odds_up() -> None:
    assert [needs(odds) for odds in (-20.0, 20.0)] == [False, True]

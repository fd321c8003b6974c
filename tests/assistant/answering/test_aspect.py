"""Sentences for a follow-up: what is new, and what is nearest to the aspect it asks about."""

from __future__ import annotations

from assistant.answering.aspect import on_aspect, places
from assistant.retrieval.pick import Pick
from assistant.retrieval.sentences import text_of
from index.search.passage import Passage, ScoredSentence
from tests.assistant.passages import passage

NEAR = {
    "It was changed for security.": 0.5,
    "It is a new default.": 0.3,
    "Pass the flag.": 0.3,
    "See it.": 0.2,
}
SECTION = passage("## The default of weights_only\n\n" + " ".join(NEAR))
PROSE = [sentence for sentence in SECTION.sentences if sentence.span.kind == "prose"]
NAMES = [("weights_only",)]


def nearness(passage: Passage, sentence: ScoredSentence) -> float:
    return NEAR[text_of(passage, sentence)]


def picked(*numbers: int) -> Pick:
    return Pick(SECTION, tuple(PROSE[number] for number in numbers))


def told(*numbers: int) -> set[tuple[str, int]]:
    return places([picked(*numbers)])


def chosen(picks: list[Pick]) -> list[str]:
    return [text_of(pick.passage, sentence) for pick in picks for sentence in pick.sentences]


def test_an_answer_that_repeats_nothing_stays() -> None:
    picks = [picked(1, 2)]
    assert on_aspect(picks, told(3), nearness, NAMES) == picks


def test_what_was_told_is_left_out_unless_it_is_nearest() -> None:
    assert chosen(on_aspect([picked(0, 1, 2)], told(0, 1), nearness, NAMES)) == [
        "It was changed for security.",
        "Pass the flag.",
    ]


def test_the_nearest_sentence_of_the_section_is_added() -> None:
    assert chosen(on_aspect([picked(1, 2)], told(1), nearness, NAMES)) == [
        "It was changed for security.",
        "Pass the flag.",
    ]


def test_of_a_section_on_other_things_only_sentences_with_the_name_are_added() -> None:
    assert chosen(on_aspect([picked(1, 2)], told(1), nearness, [("muon",)])) == [
        "It is a new default.",
        "Pass the flag.",
    ]

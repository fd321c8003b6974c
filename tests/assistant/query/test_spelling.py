"""Spelling: slips in the names of the glossary are set right, other words are left alone."""

from __future__ import annotations

import pytest

from assistant.assistant import Assistant
from assistant.query.spelling import Spelling
from corpus.glossary import load_glossary
from tests.rows import each_row


@each_row(
    ("text", "right"),
    [
        pytest.param("how do I turn on quantizaton?", "how do I turn on quantization?", id="slip"),
        pytest.param("distribtued 训练", "distributed 训练", id="beside Chinese"),
        pytest.param("the weather on Monday", "the weather on Monday", id="known words"),
        pytest.param("Quantizaton", "Quantizaton", id="a capital makes another product"),
        pytest.param("qantz", "qantz", id="too short to tell"),
        pytest.param("supercalifragilistic", "supercalifragilistic", id="like no name"),
    ],
)
def test_slips_in_names_are_set_right(text: str, right: str) -> None:
    known = {"weather", "how", "turn", "monday"}
    assert Spelling(load_glossary(), known.__contains__).right(text) == right


def test_a_question_with_a_slip_is_answered_and_shown_as_typed(assistant: Assistant) -> None:
    answer = assistant.ask("does the defualt TCPStore backend use libuv in 2.4?")
    assert not answer.abstained and answer.question == "does the defualt TCPStore backend use libuv in 2.4?"

"""Searching: where another release tells, where a follow-up does not say that it is one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.assistant import Assistant
from assistant.query.question import may_lean
from assistant.query.release_scope import ReleaseScope
from assistant.retrieval.reordering import told_elsewhere
from ingest.release import Release
from tests.assistant.passages import passage, question

SILENT = passage("## Wheels\n\nWheels are smaller.\n", "en-2.6")
SPEAKING = passage("## Python\n\nSupport of Python 3.7 has ended. Wheels need Python 3.8.\n", "en-2.2")
STILL = "Does 2.6 still support Python 3.7?"


def test_the_release_that_tells_comes_first_where_the_one_asked_is_silent() -> None:
    found = told_elsewhere(question(STILL), [SILENT], [SILENT, SPEAKING])
    assert found == [SPEAKING, SILENT]


def test_a_release_that_tells_is_enough() -> None:
    own = passage("## Python\n\nPython 3.7 is supported again.\n", "en-2.6")
    assert told_elsewhere(question(STILL), [SILENT, own], [SPEAKING]) == [SILENT, own]


def test_a_list_of_what_is_supported_tells_of_what_is_not() -> None:
    own = passage("## Platform: Python\n\nPython 3.9 to 3.12 are supported.\n", "en-2.6")
    own = replace(own, chunk=replace(own.chunk, status="platform"))
    assert told_elsewhere(question(STILL), [SILENT, own], [SPEAKING]) == [SILENT, own]
    cuda = question("Does 2.6 still support CUDA 11.8?")
    there = passage("## CUDA\n\nCUDA 11.8 has gone.\n", "en-2.2")
    assert told_elsewhere(cuda, [own], [there]) == [there, own]


@pytest.mark.parametrize("text", ["Does 2.6 still support Python 3.5?", "Does 2.6 still work?"])
def test_no_other_release_tells(text: str) -> None:
    assert told_elsewhere(question(text), [SILENT], [SILENT, SPEAKING]) == [SILENT]


def test_a_passage_that_was_found_already_is_there_once() -> None:
    found = told_elsewhere(question(STILL), [SILENT, SPEAKING], [SPEAKING])
    assert found == [SPEAKING, SILENT]


def test_a_question_that_no_word_tells_a_follow_up_is_read_as_one(assistant: Assistant) -> None:
    earlier = "What is the default backend of TCPStore in 2.4?"
    text = "How much sooner do large jobs start?"
    alone, joined = assistant.ask(text), assistant.ask(text, [earlier])
    assert alone.standalone == text
    assert joined.standalone in (text, f"{earlier} {text}")
    assert not joined.abstained and joined.citations[0].version == "2.4"


def test_releases_chosen_beside_it_keep_no_follow_up_from_being_read_as_one() -> None:
    chosen = (Release(2, 4),)
    alone = question("How much sooner do large jobs start?")
    filtered = replace(alone, scope=ReleaseScope(chosen, chosen, ()))
    assert may_lean(filtered, ["What is TCPStore?"], chosen)
    assert not may_lean(filtered, [], chosen)
    assert not may_lean(question("What is new in 2.6?"), ["What is TCPStore?"], ())


def test_a_question_about_another_matter_is_not_joined(assistant: Assistant) -> None:
    answer = assistant.ask("Who won the football world cup in Brazil?", ["What is TCPStore in 2.4?"])
    assert answer.abstained and answer.standalone == "Who won the football world cup in Brazil?"


def test_the_candidates_are_those_that_the_orders_are_trained_on(assistant: Assistant) -> None:
    found = assistant.candidates("TCPStore 在 2.4 里默认用什么后端")
    assert found.passages[0].version == "2.4" and "tcpstore" in found.relevance.typed
    assert {p.version for p in found.native(found.passages)} == {p.version for p in found.passages}

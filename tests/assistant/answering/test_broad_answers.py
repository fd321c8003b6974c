"""Broad questions asked of an assistant: which get an answer of their own, and that it keeps the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.answering.broad_answers import BUILDERS
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.settings import Settings
from assistant.text.broad_messages import OVERVIEW_HEAD
from tests.assistant.rules import check_answer

QUESTIONS = [
    "what is new in 2.4?",
    "2.6 有什么新东西",
    "compare 2.1 and 2.6",
    "2.4 和 2.6 有什么区别",
    "should I upgrade from 2.4 to 2.6?",
    "从 2.1 升到 2.6 要注意什么",
    "list all beta features in 2.6",
    "2.4 的原型功能有哪些？",
    "list everything about AOTInductor in 2.6",
]


def test_each_kind_has_a_builder() -> None:
    assert sorted(BUILDERS) == ["comparison", "list", "overview", "upgrade"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_keeps_the_rules_and_grows(digest_assistant: Assistant, question: str) -> None:
    answer = digest_assistant.ask(question)
    assert not answer.abstained and answer.text.startswith("**") and len(answer.citations) > 2
    check_answer(answer)
    *_, grown = digest_assistant.stream(question)
    assert grown.text == answer.text


def test_the_releases_chosen_beside_the_question_count(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask("what's new?", releases=["2.4"])
    assert answer.text.startswith(f"**{OVERVIEW_HEAD['en'].format(release='2.4')}**")
    assert [str(release) for release in answer.releases] == ["2.4"]


def test_the_language_asked_for_counts(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask("what is new in 2.4?", language="zh")
    assert answer.language == "zh" and answer.text.startswith(
        f"**{OVERVIEW_HEAD['zh'].format(release='2.4')}**"
    )


def test_notes_of_highlights_are_named_as_such(shipped_home: Path, digest_assistant: Assistant) -> None:
    assistant = AssistantFactory(Settings(home=shipped_home)).assistant()
    assert "1.12" in assistant.ask("should I upgrade from 1.10 to 1.12?").notice
    assert "重点" in assistant.ask("1.12 有哪些不兼容变更").notice
    assert digest_assistant.ask("should I upgrade from 2.4 to 2.6?").notice == ""
    assert digest_assistant.ask("what is new in 2.6?").notice == ""


def test_an_upgrade_beyond_the_notes_says_so(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask("should I upgrade from 2.1 to 2.99?")
    assert "2.99" in answer.notice and "From PyTorch 2.1 to 2.6" in answer.text
    assert digest_assistant.ask("what is new in 2.99?").abstained


def test_a_question_on_one_thing_is_answered_as_before(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask("what changed in TCPStore in 2.4?")
    assert not answer.text.startswith(f"**{OVERVIEW_HEAD['en'].format(release='2.4')}**")
    assert "TCPStore" in answer.text

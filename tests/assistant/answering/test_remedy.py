"""Answers from a section on a breaking change say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.settings import Settings


@pytest.fixture(scope="module")
def shipped(shipped_home: Path) -> Assistant:
    return AssistantFactory(Settings(home=shipped_home)).assistant()


@pytest.mark.parametrize(
    ("question", "remedy"),
    [
        ("docker build hangs at a y/N prompt of torch.hub.load since 2.11", "trust_repo=True"),
        ("my code reads .grad after zero_grad() and gets None since 2.0", "set_to_none=False"),
        ("2.9 的自定义算子直接返回输入，compile 之后结果不对", ".clone()"),
    ],
)
def test_what_to_do_is_told_near_the_lead(shipped: Assistant, question: str, remedy: str) -> None:
    answer = shipped.ask(question)
    assert any(remedy in citation.quote for citation in answer.citations[:6]), answer.text


def test_a_question_for_a_release_is_answered_without(shipped: Assistant) -> None:
    answer = shipped.ask("since which release does torch.load have weights_only=True as its default?")
    assert not any(citation.quote.startswith("To migrate") for citation in answer.citations[:1])

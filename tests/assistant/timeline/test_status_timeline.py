"""Answers that open with the life of a feature."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.assistant import Assistant
from tests.assistant.lives import FLEX_BETA, FLEX_PROTOTYPE, PART, ZH_FLEX, document
from tests.assistant.notes import factory_in
from tests.assistant.rules import check_answer


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, vectors: Path) -> Assistant:
    """An assistant over notes in which FlexAttention lives from 2.5 to 2.10."""
    made = factory_in(tmp_path_factory.mktemp("lives"), vectors)
    made.update(
        [
            document("2.5", FLEX_PROTOTYPE),
            document("2.5", ZH_FLEX, "zh"),
            document("2.6", PART),
            document("2.9", FLEX_BETA),
        ]
    )
    return made.assistant()


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        pytest.param(
            "In which release did FlexAttention appear?",
            [
                "- 2.5 (2025-01-15), Prototype: FlexAttention [1]",
                "- 2.9 (2031-01-15), Beta, was Prototype: FlexAttention [2]",
            ],
            id="since",
        ),
        pytest.param(
            "Is FlexAttention still a prototype?",
            ["- 2.5 (2025-01-15), Prototype: FlexAttention [2]"],  # the verdict stands before it
            id="still",
        ),
        pytest.param(
            "FlexAttention 是哪个版本加入的？",
            ["- 2.5（2025-01-15），原型（Prototype）：FlexAttention [1]"],
            id="since-zh",
        ),
        pytest.param(
            "FlexAttention 现在什么状态？",
            ["**FlexAttention：在发布说明里的状态（截至 2.9）**"],
            id="state-zh",
        ),
    ],
)
def test_an_answer_opens_with_the_life(asked: Assistant, question: str, lines: list[str]) -> None:
    answer = asked.ask(question)
    check_answer(answer)
    assert answer.text.startswith(("**FlexAttention", "**No, Beta since PyTorch 2.9:** FlexAttention [1]"))
    assert set(lines) <= set(answer.text.split("\n"))
    assert any("[Prototype] FlexAttention" in c.quote or "[原型]" in c.quote for c in answer.citations)


def test_a_life_keeps_to_the_releases_chosen(asked: Assistant) -> None:
    answer = asked.ask("Is FlexAttention still a prototype?", releases=["2.9"])
    assert {c.version for c in answer.citations} == {"2.9"}
    assert answer.citations[0].quote == "## [Beta] FlexAttention"


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Since when does FlexAttention accept ragged batches on phones?", id="more-words"),
        pytest.param("How do I write a mask for FlexAttention?", id="how"),
        pytest.param("What is FlexAttention?", id="what"),
    ],
)
def test_other_questions_are_answered_as_before(asked: Assistant, question: str) -> None:
    answer = asked.ask(question)
    assert "its status in the notes" not in answer.text


def test_the_first_question_that_needs_them_makes_the_histories(asked: Assistant) -> None:
    fresh = Assistant(asked.retriever, asked.embedder, asked.segmenter, asked.glossary)
    fresh.ask("How do I write a mask for FlexAttention?")
    assert "_histories" not in vars(fresh._planner)
    fresh.ask("Is FlexAttention still a prototype?")
    assert "_histories" in vars(fresh._planner)


@pytest.mark.parametrize(
    "question",
    [
        "What breaks in FlexAttention in 2.6?",
        "What changed in FlexAttention that breaks code?",
        "2.6 里 FlexAttention 有哪些不兼容变更？",
    ],
)
def test_what_breaks_asks_for_no_life(asked: Assistant, question: str) -> None:
    assert "status in the notes" not in asked.ask(question).text
    assert "发布说明里的状态" not in asked.ask(question).text


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("Is FlexAttention in 2.5 yet?", "**Yes, Prototype since PyTorch 2.5:** FlexAttention [1]"),
        ("Is FlexAttention a beta feature in 2.5?", "**No, Prototype since PyTorch 2.5:** FlexAttention [1]"),
        ("Is FlexAttention beta in 2.9?", "**Yes, Beta since PyTorch 2.9:** FlexAttention [1]"),
        ("Did FlexAttention become beta in 2.9?", "**Yes, Beta since PyTorch 2.9:** FlexAttention [1]"),
        (
            "2.5 里 FlexAttention 是测试版吗？",
            "**不是，PyTorch 2.5 起为原型（Prototype）：** FlexAttention [1]",
        ),
    ],
)
def test_a_history_that_decides_opens_with_the_verdict(asked: Assistant, question: str, opening: str) -> None:
    answer = asked.ask(question)
    check_answer(answer)
    assert answer.text.startswith(opening)
    assert answer.citations[0].quote.startswith("## ")


@pytest.mark.parametrize(
    "question",
    [
        "In which release did FlexAttention appear?",
        "Is FlexAttention no longer a prototype?",  # yes and no would be misread
        "Is FlexAttention a prototype or a beta?",
        "Is FlexAttention a beta feature?",  # today: that no later note speaks of it proves nothing
        "Is FlexAttention official in 2.9?",
    ],
)
def test_other_questions_have_no_verdict(asked: Assistant, question: str) -> None:
    assert not asked.ask(question).text.startswith(("**Yes", "**No"))

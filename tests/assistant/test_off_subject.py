"""What is about something else than PyTorch is declined as if it came first, and never repeats an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.retrieval.subject import load_subject
from assistant.settings import Settings
from assistant.text.messages import OFF_SUBJECT
from index.embedding.factory import load_embedder

EARLIER = {
    "en": "Which release made torch.compile work with Python 3.12?",
    "zh": "torch.compile 从哪个版本起支持 Python 3.12？",
}
TURNS = {
    "en": ["how long should I boil an egg?", "who won the cup final"],
    "zh": ["怎么给猫洗澡？", "明天会下雨吗"],
}


@pytest.fixture(scope="module")
def assistant(shipped_home: Path) -> Assistant:
    return AssistantFactory(Settings(home=shipped_home)).assistant()


def is_off_subject(answer: Answer) -> bool:
    return answer.abstained and not answer.citations and answer.text == OFF_SUBJECT[answer.language]


@pytest.mark.parametrize(
    ("language", "turn"), [(language, turn) for language, turns in TURNS.items() for turn in turns]
)
def test_a_turn_about_something_else_repeats_no_answer(
    assistant: Assistant, language: str, turn: str
) -> None:
    assert not assistant.ask(EARLIER[language]).abstained
    answer = assistant.ask(turn, history=[EARLIER[language]])
    assert is_off_subject(answer) and answer.language == language
    assert is_off_subject(assistant.ask(turn))


@pytest.mark.parametrize(("language", "turn"), [("en", "and Python 3.13?"), ("zh", "那 3.13 呢？")])
def test_a_follow_up_leans_on_the_question_before(assistant: Assistant, language: str, turn: str) -> None:
    answer = assistant.ask(turn, history=[EARLIER[language]])
    assert not answer.abstained and "torch.compile" in answer.standalone


def test_the_classifier_is_trained_for_the_model_that_ships() -> None:
    embedder = load_embedder()
    subject = load_subject()
    assert subject.embedder == embedder.name, "type `make gate`: the embedding model is another one"
    assert len(subject.weights) == embedder.dimension

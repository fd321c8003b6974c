"""A release that the user runs does not hide the notes of the release that answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.retrieval.release_context import LIKELY, load_release_context, weight_elsewhere
from assistant.settings import Settings
from index.embedding.factory import load_embedder


@pytest.fixture(scope="module")
def shipped(shipped_home: Path) -> Assistant:
    return AssistantFactory(Settings(home=shipped_home)).assistant()


def test_a_cure_is_expected_elsewhere_and_what_is_new_is_not() -> None:
    embedder = load_embedder()
    context = load_release_context(embedder.name)
    assert context is not None
    run, asked = (
        context.elsewhere(embedder.encode_query(text))
        for text in ("RuntimeError on torch 2.6, does upgrading fix it?", "What is new in 2.6?")
    )
    assert asked < LIKELY < run


def test_another_embedding_model_knows_nothing() -> None:
    assert load_release_context("another") is None


def test_other_releases_count_by_probability() -> None:
    assert weight_elsewhere(0.0, 0.25) == 0.25
    assert 0.25 < weight_elsewhere(LIKELY / 2, 0.25) < 1
    assert weight_elsewhere(LIKELY, 0.25) == weight_elsewhere(1.0, 0.25) == 1


@pytest.mark.parametrize(
    "question",
    [
        "we run 2.4 in production and torch.compiler has no set_stance, which release do we need?",
        "线上还是 2.4，torch.compiler 里没有 set_stance，要升到哪个版本",
    ],
)
def test_the_release_with_the_cure_is_found(shipped: Assistant, question: str) -> None:
    assert str(shipped.ask(question).citations[0].passage.release) == "2.6"

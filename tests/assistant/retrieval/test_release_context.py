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


def test_the_release_with_the_cure_is_found(shipped: Assistant) -> None:
    answer = shipped.ask("still on 2.2.2 and Dynamo is not supported on Python 3.12+, what now")
    assert "2.4" in {str(passage.release) for passage in answer.passages}
    answer = shipped.ask("torch.inference_mode 哪个版本才有，我这边 1.8 提示没有这个属性")
    assert str(answer.citations[0].passage.release) == "1.9"

"""Questions about the newest release."""

from __future__ import annotations

import pytest

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from ingest.loaders import load

NOTES = """---
title: PyTorch {release}
release: "{release}"
language: en
{date}---

# PyTorch {release}

## [Beta] Frobnicator {release}

The frobnicator of PyTorch {release} multiplies sparse tensors.

## {heading}

PyTorch {release} {says}.
"""


@pytest.fixture(scope="module")
def factory(tmp_path_factory: pytest.TempPathFactory) -> AssistantFactory:
    """An index of two releases that are told of, and one that is only announced."""
    folder = tmp_path_factory.mktemp("newest")
    for release, date, heading, says in (
        ("2.4", "date: 2024-07-24\n", "Overview", "adds the mumbler"),
        ("2.9", "date: 2025-10-15\n", "Overview", "adds the grumbler"),
        ("2.10", "", "Plans", "is announced"),
    ):
        text = NOTES.format(release=release, date=date, heading=heading, says=says)
        (folder / f"{release}.md").write_text(text, encoding="utf-8")
    factory = AssistantFactory(Settings(home=folder / "home", shipped_corpus=False))
    factory.update(list(load(folder, on_skip=lambda _: None)))
    return factory


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "What does the latest PyTorch release add?",
            "The notes in the index go up to PyTorch 2.9",
        ),
        ("最新版 PyTorch 的 frobnicator 有什么变化？", "索引里的发布说明截至 PyTorch 2.9"),
    ],
)
def test_the_newest_release_is_the_last_that_is_told_of(
    factory: AssistantFactory, question: str, told: str
) -> None:
    answer = factory.latest().ask(question)
    assert answer.citations[0].passage.version in ("2.9", "2.10")
    assert answer.notice.startswith(told) and "torchnotes sync" in answer.notice


def test_other_questions_say_nothing_of_it(factory: AssistantFactory) -> None:
    answer = factory.latest().ask("What does the frobnicator of 2.4 multiply?")
    assert answer.citations and answer.notice == ""

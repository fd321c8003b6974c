"""`from assistant import ask`: the settings' own index, and an import that costs nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import assistant as package
from assistant import Answer, Assistant, Citation, ask, load_assistant
from assistant.factory import AssistantFactory
from ingest.errors import TorchnotesError

QUESTION = "What is the default backend of TCPStore in 2.4?"


@pytest.fixture
def home(factory: AssistantFactory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The environment names the home of the small corpus."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TORCHNOTES_HOME", str(factory.settings.home))
    monkeypatch.setenv("TORCHNOTES_SHIPPED_CORPUS", "false")
    monkeypatch.delenv("TORCHNOTES_EMBEDDER", raising=False)
    package._factory.cache_clear()
    yield factory.settings.home
    package._factory.cache_clear()


def test_ask_answers_as_the_assistant_does(home: Path, assistant: Assistant) -> None:
    answer = ask(QUESTION)
    assert isinstance(answer, Answer) and isinstance(answer.citations[0], Citation)
    assert answer == assistant.ask(QUESTION)
    (*_, last) = assistant.stream(QUESTION)
    assert answer == last


def test_ask_hands_on_every_argument(home: Path, assistant: Assistant) -> None:
    history = ["What is FlexAttention?"]
    answer = ask("TCPStore backend", history, releases=["2.3", "2.4"], language="zh", top_k=2)
    assert answer == assistant.ask(
        "TCPStore backend", history, releases=["2.3", "2.4"], language="zh", top_k=2
    )
    assert answer.language == "zh" and {p.version for p in answer.passages} <= {"2.3", "2.4"}


def test_the_index_is_opened_once(home: Path) -> None:
    ask(QUESTION)
    first = package._factory().latest()
    ask(QUESTION)
    assert package._factory().latest() is first
    assert load_assistant() is not first


def test_errors_are_those_of_the_assistant(home: Path) -> None:
    with pytest.raises(TorchnotesError, match=r"^the question is empty"):
        ask(" ")


def test_an_empty_home_without_digests_says_what_to_type(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TORCHNOTES_HOME", str(tmp_path / "nothing"))
    with pytest.raises(TorchnotesError, match=r"type `torchnotes add PATH`"):
        ask(QUESTION)


def test_names_that_are_not_offered_are_refused() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'answers'"):
        _ = package.answers


def test_importing_costs_nothing_heavy() -> None:
    heavy = "torch numpy faiss jieba pydantic sentence_transformers bm25s"
    code = f"import sys, assistant; print([m for m in '{heavy}'.split() if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"

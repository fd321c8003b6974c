"""The stored choice of a language model: what it yields to, and what damages it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.configuration.model_choice import FILE, ModelChoice, drop_choice, load_choice, store_choice
from assistant.factory import AssistantFactory
from assistant.llm.local import LocalModel
from assistant.settings import Settings, load_settings, model_origin
from ingest.errors import TorchnotesError

OLLAMA = ModelChoice(llm_url="http://127.0.0.1:11434/v1", llm_model="qwen3:4b", llm_context=8192)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder in the environment, and nothing else there."""
    for name in Settings.__dataclass_fields__:
        monkeypatch.delenv(f"TORCHNOTES_{name.upper()}", raising=False)
    monkeypatch.setenv("TORCHNOTES_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "small.gguf"
    path.write_bytes(b"GGUF")
    return path


def test_a_choice_is_kept_replaced_and_dropped(home: Path) -> None:
    assert load_choice(home) is None and model_origin() == "" and not drop_choice(home)
    for choice in (ModelChoice(llm_url="http://127.0.0.1:1234/v1"), OLLAMA):
        store_choice(home, choice)
        assert load_choice(home) == choice and model_origin() == "stored choice"
    assert [path.name for path in home.iterdir()] == [FILE]
    assert drop_choice(home) and load_choice(home) is None


def test_a_choice_counts_where_nothing_else_names_a_model(
    home: Path, gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_choice(home, OLLAMA)
    chosen = load_settings()
    assert (chosen.llm_url, chosen.llm_model, chosen.llm_context) == (OLLAMA.llm_url, "qwen3:4b", 8192)
    assert load_settings(llm_model="other").llm_url == OLLAMA.llm_url
    argument = load_settings(llm_url="http://other/v1")
    assert (argument.llm_url, argument.llm_model, argument.llm_context) == ("http://other/v1", "", 4096)
    monkeypatch.setenv("TORCHNOTES_LLM_FILE", str(gguf))
    environment = load_settings()
    assert (environment.llm_url, environment.llm_file) == ("", gguf) and model_origin() == "environment"
    assert load_settings(llm_url="http://other/v1").llm_file is None
    monkeypatch.delenv("TORCHNOTES_LLM_FILE")
    monkeypatch.setenv("TORCHNOTES_LLM_URL", "")
    assert load_settings().llm_url == "" and model_origin() == "environment"


def test_a_file_is_a_model_of_this_process(home: Path, gguf: Path) -> None:
    store_choice(home, ModelChoice(llm_file=str(gguf)))
    model = AssistantFactory(load_settings()).model
    assert isinstance(model, LocalModel) and (model.name, model.url) == ("small", str(gguf))


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("FILE", "nowhere.gguf", "TORCHNOTES_LLM_FILE='nowhere.gguf' cannot be used: it must be a GGUF file"),
        ("URL", "http://127.0.0.1/v1", "are both set; unset one of them"),
    ],
)
def test_a_file_that_cannot_be_meant_is_one_line(
    name: str, value: str, told: str, home: Path, gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHNOTES_LLM_FILE", str(gguf))
    monkeypatch.setenv(f"TORCHNOTES_LLM_{name}", value)
    with pytest.raises(TorchnotesError, match=told) as refused:
        load_settings()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b'{"llm_url": 1, "llm_model": "", "llm_file": "", "llm_context": 0, "llm_tools": false}',
        b'{"llm_url": ""}',
        b"\xff",
        b"[" * 60000,
    ],
    ids=["empty", "half", "list", "types", "keys", "bytes", "deep"],
)
def test_a_damaged_choice_says_what_mends_it(damage: bytes, home: Path) -> None:
    home.mkdir()
    (home / FILE).write_bytes(damage)
    with pytest.raises(TorchnotesError, match=r"cannot be read .*; type `torchnotes model off`, ") as refused:
        load_settings()
    assert "\n" not in str(refused.value) and str(home) in str(refused.value)
    assert load_settings(llm_url="http://other/v1").llm_url == "http://other/v1"
    assert drop_choice(home) and load_settings().llm_url == ""

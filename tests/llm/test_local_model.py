"""A GGUF file run in this process by llama.cpp, behind the same client as any server."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from assistant.assistant import Assistant
from assistant.llm.capabilities import speed, structured_output
from assistant.llm.errors import CutShortError
from assistant.llm.local import LocalModel
from ingest.errors import LanguageModelError
from tests.llm.test_real_model import CONTEXT, QUESTIONS, check, weights


@pytest.fixture(scope="module")
def model() -> LocalModel:
    return LocalModel(weights(), context=CONTEXT, timeout=120)


def test_it_streams_keeps_to_a_schema_and_ends_at_the_longest_length(model: LocalModel) -> None:
    model.ping()
    with pytest.raises(CutShortError, match="was cut at 5 tokens"):
        model.complete([{"role": "user", "content": "Count to a hundred."}], 5)
    assert structured_output(model)
    assert speed(model).rate > 1


def test_what_it_writes_is_proved_as_ever(assistant: Assistant, model: LocalModel) -> None:
    check(replace(assistant, model=model).ask(QUESTIONS[0]))


def test_nobody_else_on_this_machine_can_use_it(model: LocalModel) -> None:
    model.ping()
    address = str(model._server.listening_address)
    assert address.startswith("http://127.0.0.1:")
    chat = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 1}
    for key in ("", "none", "x" * 32):
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        answer = httpx.post(f"{address}/v1/chat/completions", json=chat, headers=headers, trust_env=False)
        assert answer.status_code == 401
    assert model._key not in repr(model)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"PK\x03\x04", "is no GGUF file; type `torchnotes model get`"),
        (b"GGUF" + bytes(99), "cannot be loaded"),
    ],
)
def test_a_file_that_is_no_model_is_one_line(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "bad.gguf").write_bytes(content)
    with pytest.raises(LanguageModelError, match=told) as refused:
        LocalModel(tmp_path / "bad.gguf").ping()
    assert "\n" not in str(refused.value)

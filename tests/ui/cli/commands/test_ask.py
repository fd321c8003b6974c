"""`torchnotes ask` with a language model: its options, its notices, and a key that nobody sees."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.assistant.model_server import KEY, MODEL, ModelServer, refusal, said
from tests.ui.saying import said as typed

QUESTION = "What is the default backend of TCPStore in 2.4?"
DRAFT = "The default backend of TCPStore is `libuv` [1]. It is 9 times faster [1]."
PROVED = "The default backend of TCPStore is `libuv`. [1]"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(said(DRAFT)) as made:
        yield made


@pytest.mark.usefixtures("home")
def test_the_options_name_a_model(server: ModelServer, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--llm-url", server.url, "--llm-model", "other", "--llm-api-key", KEY]
    code, out, err = typed(capsys, "ask", *options, "--strict", QUESTION)
    assert code == 0 and KEY not in out + err
    notice, text, *_ = out.split("\n\n")
    assert notice.endswith("left out: 1.") and text == PROVED
    assert len(server.requests) == 2  # it writes, and judges what the proof leaves open
    for request in server.requests:
        assert request.body["model"] == "other" and request.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.usefixtures("home")
def test_the_environment_names_a_model(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TORCHNOTES_LLM_URL", server.url)
    monkeypatch.setenv("TORCHNOTES_LLM_STRICT", "true")
    code, out, _ = typed(capsys, "ask", "--json", QUESTION)
    answer = json.loads(out)
    assert code == 0 and (answer["text"], answer["model"]) == (PROVED, MODEL)
    assert [each["text"] for each in answer["unproved"]] == ["It is 9 times faster."]
    assert answer["notice"] and "pending" not in answer


@pytest.mark.usefixtures("home")
def test_without_the_model_the_notes_answer(server: ModelServer, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed(capsys, "ask", "--no-model", "--llm-url", server.url, QUESTION)
    assert code == 0 and "libuv" in out and not server.requests
    assert out == typed(capsys, "ask", QUESTION)[1]


@pytest.mark.usefixtures("home")
def test_what_is_not_confirmed_is_marked(server: ModelServer, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = typed(capsys, "ask", "--llm-url", server.url, QUESTION)
    assert code == 0 and f"\n\n{PROVED} It is 9 times faster. [?]\n" in out and "own words" in out


@pytest.mark.usefixtures("home")
def test_a_model_that_refuses_leaves_an_answer_with_a_notice(capsys: pytest.CaptureFixture[str]) -> None:
    with ModelServer(refusal(401, f"no {KEY} here")) as server:
        code, out, err = typed(capsys, "ask", "--llm-url", server.url, "--llm-api-key", KEY, QUESTION)
        assert code == 0 and not err and server.url in out.splitlines()[0]
    assert "set TORCHNOTES_LLM_API_KEY to a valid one" in out.splitlines()[0] and KEY not in out
    assert "libuv" in out and "Sources" in out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        pytest.param(["--llm-url", "localhost"], "TORCHNOTES_LLM_URL='localhost' cannot be used", id="url"),
        pytest.param(["--llm-model", "m"], "is set without TORCHNOTES_LLM_URL", id="model alone"),
        pytest.param(["--llm-api-key", f" {KEY}"], "TORCHNOTES_LLM_API_KEY='…' cannot be used", id="key"),
    ],
)
@pytest.mark.usefixtures("home")
def test_options_that_cannot_be_used_are_one_line(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = typed(capsys, "ask", *options, QUESTION)
    assert (code, out) == (2, "") and told in err and len(err.splitlines()) == 1 and KEY not in err

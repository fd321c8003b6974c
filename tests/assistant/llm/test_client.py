"""Talking to a language model's server: what is sent, what comes back, and one line for each failure."""

from __future__ import annotations

import logging
import socket
import sys
from contextlib import closing

import pytest

from assistant.llm.client import ChatMessage, LanguageModel
from assistant.llm.errors import ContextTooLongError, CutShortError
from ingest.errors import LanguageModelError
from tests.assistant.faults import FAILURES, Failure
from tests.assistant.model_server import KEY, MODEL, Fault, ModelServer, Reply, Request, Step, refusal, said

CHAT: list[ChatMessage] = [{"role": "user", "content": "Which backend?"}]
AT_ONCE = {"Retry-After": "0.001"}


def test_a_reply_comes_piece_by_piece() -> None:
    with ModelServer(said("It is `libuv`，真的。", 3)) as server:
        pieces = list(server.model().stream(CHAT, 50))
    assert "".join(pieces) == "It is `libuv`，真的。" and len(pieces) > 4


def test_a_request_carries_what_is_needed() -> None:
    with ModelServer(said("Yes.")) as server:
        server.model().complete(CHAT, 50)
    (request,) = server.requests
    assert request.path == "/v1/chat/completions" and request.headers["authorization"] == f"Bearer {KEY}"
    wanted = {"model": MODEL, "messages": CHAT, "stream": True, "max_tokens": 50, "temperature": 0.0}
    assert request.body == wanted


@pytest.mark.usefixtures("no_retries")
@pytest.mark.parametrize("failure", [pytest.param(f, id=name) for name, f in FAILURES.items()])
def test_a_failure_is_one_line_that_says_what_to_set(
    failure: Failure, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with failure.server() as server:
        with pytest.raises(LanguageModelError, match=failure.told) as told:
            server.model(timeout=0.2).complete(CHAT, 50)
        line = str(told.value)
        assert line.startswith(f"language model {MODEL} at {server.url}: ")
    assert f"TORCHNOTES_LLM_{failure.setting}" in line
    assert "\n" not in line and len(line) < 500
    assert KEY not in line and KEY not in caplog.text and KEY not in repr(server.model())


@pytest.mark.parametrize(
    ("failure", "count"),
    [
        pytest.param(refusal(429, "slow down", headers={"Retry-After": "0"}), 1, id="429"),
        pytest.param(refusal(500, "oops", headers=AT_ONCE), 2, id="500 twice"),
        pytest.param(refusal(503, "loading", headers=AT_ONCE), 2, id="503 twice"),
    ],
)
def test_what_passes_is_tried_again(failure: Reply, count: int) -> None:
    with ModelServer(*[failure] * count, said("Yes.")) as server:
        assert server.model().complete(CHAT, 50) == "Yes."
    assert len(server.requests) == count + 1


@pytest.mark.parametrize("status", [400, 401, 404])
def test_what_does_not_pass_is_not_tried_again(status: int) -> None:
    with ModelServer(refusal(status, "no")) as server:
        with pytest.raises(LanguageModelError):
            server.model().complete(CHAT, 50)
        assert len(server.requests) == 1


@pytest.mark.usefixtures("no_retries")
def test_a_server_that_is_not_there_is_told() -> None:
    with socket.socket() as taken:  # bound, and never listening
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(LanguageModelError, match=r"cannot be reached \(.*; start it, or correct TORCH"):
            LanguageModel(url, MODEL).complete(CHAT, 50)


def test_what_came_before_a_break_was_told() -> None:
    with ModelServer(Reply(["It is ", "`lib", Fault.CUT])) as server:
        reply = iter(server.model().stream(CHAT, 50))
        assert [next(reply), next(reply)] == ["It is ", "`lib"]
        with pytest.raises(LanguageModelError, match="broke off in the middle"):
            next(reply)


def test_a_reply_at_its_longest_length_is_told_apart() -> None:
    reply = said("It is", finish="length")
    with ModelServer(reply) as server, pytest.raises(CutShortError, match="its answer was cut at 5 tokens"):
        server.model().complete(CHAT, 5)


def test_a_prompt_that_is_too_long_is_told_apart() -> None:
    message = "This model's maximum context length is 1024 tokens; reduce max_tokens"
    with ModelServer(refusal(400, message)) as server, pytest.raises(ContextTooLongError):
        server.model().complete(CHAT, 50)


@pytest.mark.parametrize("parameter", ["max_tokens", "temperature"])
def test_the_newer_parameter_is_sent_where_the_older_is_not_known(parameter: str) -> None:
    def script(request: Request) -> Reply:
        if parameter in request.body:
            return refusal(400, f"Unsupported parameter: '{parameter}'; use 'max_completion_tokens'.")
        return said("Yes.")

    with ModelServer(script=script) as server:
        assert server.model().complete(CHAT, 50) == "Yes."
    assert server.requests[-1].body["max_completion_tokens"] == 50
    assert not {"max_tokens", "temperature"} & server.requests[-1].body.keys()


def test_thoughts_other_choices_and_odd_deltas_are_no_text() -> None:
    other = {"index": 1, "delta": {"content": "other"}, "finish_reason": None}
    mine = {"index": 0, "delta": {"content": " is"}, "finish_reason": None}
    steps: list[Step] = [{"reasoning_content": "hm"}, "It", {"choices": [other]}, {"choices": [other, mine]}]
    odd: list[Step] = [{"content": None}, {"content": ["x"]}, {"choices": []}, {"choices": None}, " so."]
    with ModelServer(Reply([*steps, *odd])) as server:
        assert server.model().complete(CHAT, 50) == "It is so."


def test_closing_the_reply_ends_the_request() -> None:
    with ModelServer(Reply(["It", " is", Fault.WAIT])) as server:
        with closing(server.model().stream(CHAT, 50)) as reply:  # type: ignore[type-var]
            assert next(reply) == "It"
        assert server.gone.wait(5)


def test_the_only_model_needs_no_name() -> None:
    with ModelServer(said("Yes."), models=["llama3"]) as server:
        model = server.model(name="")
        assert model.complete(CHAT, 50) == "Yes." and model.name == "llama3"
        assert server.requests[0].body["model"] == "llama3"


@pytest.mark.parametrize(
    ("models", "told"),
    [
        pytest.param([], "it has no model; set TORCHNOTES_LLM_MODEL to one of them", id="none"),
        pytest.param(["b", "a"], "it has a, b; set TORCHNOTES_LLM_MODEL", id="two"),
        pytest.param([f"m{n}" for n in range(10)], "m0, .*, m7 and 2 more; set TORCHNOTES_LLM_", id="ten"),
        pytest.param("<p>Hello</p>", "sent no list of models; TORCHNOTES_LLM_URL must be", id="a page"),
    ],
)
def test_which_model_must_be_said_where_there_is_not_one(models: list[str] | str, told: str) -> None:
    with ModelServer(models=models) as server, pytest.raises(LanguageModelError, match=told) as raised:
        server.model(name="").complete(CHAT, 50)
    assert "\n" not in str(raised.value) and not server.requests


@pytest.mark.parametrize("reply", [said("Yes."), said("Yes, I", finish="length")], ids=["whole", "cut"])
def test_a_ping_takes_any_word(reply: Reply) -> None:
    with ModelServer(reply) as server:
        server.model().ping()
    assert server.requests[0].body["max_tokens"] == 16


@pytest.fixture
def openai_account(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "ORG_ID", "PROJECT_ID", "ADMIN_KEY", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", "openai-account-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/elsewhere")


@pytest.mark.usefixtures("openai_account")
@pytest.mark.parametrize("key", [KEY, ""], ids=["with a key", "without"])
def test_an_openai_account_of_the_environment_is_not_sent(key: str) -> None:
    with ModelServer(said("Yes.")) as server:
        server.model(key=key).complete(CHAT, 50)
    assert "openai-account-secret" not in str(server.requests[0].headers)


def test_without_the_package_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(LanguageModelError, match=r"type `pip install 'torchnotes\[llm\]'`"):
        LanguageModel("http://127.0.0.1:9/v1", MODEL).complete(CHAT, 50)

"""Replies that a server would not send by mistake: each is one line, and leads nowhere else."""

from __future__ import annotations

import json

import pytest

from assistant.llm.client import ChatMessage
from assistant.llm.tools import Tool, ToolResult, research
from ingest.errors import LanguageModelError
from tests.assistant.model_server import ModelServer, Reply, Step, said

CHAT: list[ChatMessage] = [{"role": "user", "content": "Which backend?"}]
AS_JSON = {"Content-Type": "application/json"}
HALF = "\ud83d"  # of a character, which no encoding has
pytestmark = pytest.mark.usefixtures("no_retries")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with ModelServer(said("Mine.")) as elsewhere:
        moved = Reply(status=status, headers={"Location": f"{elsewhere.url}/chat/completions"})
        with ModelServer(moved) as server, pytest.raises(LanguageModelError, match=str(status)):
            server.model().complete(CHAT, 50)
        assert elsewhere.requests == []


def test_half_characters_of_a_stream_are_replaced() -> None:
    with ModelServer(Reply([f"It is {HALF} libuv."])) as server:
        assert server.model().complete(CHAT, 50) == "It is \ufffd libuv."


def test_half_characters_of_a_whole_reply_are_replaced() -> None:
    function = {"name": HALF, "arguments": f'{{"query": "{HALF}"}}'}
    message = {"content": HALF, "tool_calls": [{"id": HALF, "type": "function", "function": function}]}
    body = json.dumps({"choices": [{"index": 0, "message": message}]})
    with ModelServer(Reply(body=body, headers=AS_JSON)) as server:
        reply = server.model().reply(CHAT, 50)
    assert (reply.text, reply.calls[0].id, reply.calls[0].name) == ("\ufffd", "\ufffd", "\ufffd")
    reply.calls[0].arguments.encode()


def test_half_characters_in_escapes_of_arguments_are_refused() -> None:
    def run(given: object) -> ToolResult:
        raise AssertionError(given)

    function = {"name": "search", "arguments": '{"query": "\\ud83d"}'}
    message = {"content": "", "tool_calls": [{"id": "1", "type": "function", "function": function}]}
    body = json.dumps({"choices": [{"index": 0, "message": message}]})
    tool = Tool("search", "Find.", {"query": ("A few words.", 50)}, run)
    with ModelServer(Reply(body=body, headers=AS_JSON)) as server:
        found = research(server.model(), "Which backend?", (), (tool,), "en")
    assert found.failure == ""
    assert {step.result for step in found.steps} == {"refused: query must be a text of 1 to 50 characters"}


@pytest.mark.parametrize("streamed", [True, False])
def test_what_is_not_utf8_is_one_line(streamed: bool) -> None:
    steps: list[Step] = [b'data: {"choices": [{"index": 0, "delta": {"content": "\xff"}}]}\n\n']
    whole = Reply(body=b'{"choices": [{"index": 0, "message": {"content": "\xb5"}}]}', headers=AS_JSON)
    with ModelServer(Reply(steps) if streamed else whole) as server:
        model = server.model()
        with pytest.raises(LanguageModelError, match="no chat completion"):
            model.complete(CHAT, 50) if streamed else model.reply(CHAT, 50)


def test_a_reason_to_end_that_is_no_text_is_one_line() -> None:
    ending = json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": {"a": [1]}}]})
    with (
        ModelServer(Reply([f"data: {ending}\n\n".encode()], finish=None)) as server,
        pytest.raises(LanguageModelError, match="it wrote nothing"),
    ):
        server.model().complete(CHAT, 50)

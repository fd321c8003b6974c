"""The ways in which a language model's server fails, each with the line that tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.assistant.model_server import KEY, MODEL, Fault, ModelServer, Reply, refusal

#: A true sentence of the made-up notes, and one that breaks off.
HALF = "The TCPStore server now runs on the `libuv` backend by default [1]. Starting a job of 1024 ra"
_AT_ONCE = {"Retry-After": "0.001"}  # seconds; longer waits are the client's own affair
_TEXT = [HALF[:20], HALF[20:]]
_PAGE = "<!DOCTYPE html>\n<html><body>Welcome to nginx!</body></html>"
_CALL = {"tool_calls": [{"index": 0, "id": "t", "function": {"name": "shell", "arguments": "{}"}}]}


@dataclass(frozen=True, slots=True)
class Failure:
    """One way to fail.

    Attributes:
        reply: to every request.
        told: a pattern of what went wrong.
        setting: what to set.
        models: that the server lists, or a page in place of the list.
    """

    reply: Reply
    told: str
    setting: str
    models: tuple[str, ...] | str = (MODEL,)

    def server(self) -> ModelServer:
        """A server that fails so."""
        return ModelServer(self.reply, models=self.models)


def _event(data: str) -> Reply:
    return Reply([*_TEXT, f"data: {data}\n\n".encode()], finish=None)


def _refused(status: int, message: str, told: str, setting: str, **more: Any) -> Failure:
    return Failure(refusal(status, message, headers=_AT_ONCE), told, setting, **more)


FAILURES: dict[str, Failure] = {
    "slow first word": Failure(Reply(silent=True), r"no answer within 0\.2 s", "TIMEOUT"),
    "slow between words": Failure(Reply([*_TEXT, Fault.WAIT]), r"no answer within 0\.2 s", "TIMEOUT"),
    "cut before a word": Failure(Reply([Fault.CUT]), "broke off in the middle", "MODEL"),
    "cut in a sentence": Failure(Reply([*_TEXT, Fault.CUT]), "broke off in the middle", "MODEL"),
    "no finish_reason": Failure(Reply(_TEXT, finish=None), "broke off in the middle", "MODEL"),
    "429 for ever": _refused(
        429, "rate limit reached", r"no more requests now \(429: rate limit reached\)", "API_KEY"
    ),
    "500 for ever": _refused(500, "CUDA error", r"it fails \(500: CUDA error\)", "MODEL"),
    "503 as a page": Failure(Reply(status=503, body=_PAGE, headers=_AT_ONCE), r"it fails \(503", "MODEL"),
    "401": _refused(401, f"bad key {KEY}", r"the key is refused \(401: bad key …\)", "API_KEY"),
    "403": _refused(403, "no access", r"the key is refused \(403: no access\)", "API_KEY"),
    "404 for the model": _refused(
        404,
        "model 'x' not found",
        r"no such model or address \(404: .*it has llama3, qwen3;",
        "MODEL",
        models=("qwen3", "llama3"),
    ),
    "404 for the address": Failure(
        Reply(status=404, body=_PAGE), "no such model or address .* ends in /v1", "URL", _PAGE
    ),
    "400 context length": _refused(
        400, "This model's maximum context length is 1024 tokens", "the prompt is too long", "CONTEXT"
    ),
    "400 of another kind": _refused(400, "no streaming here", r"refuses \(400: no streaming here\)", ""),
    "bad JSON in an event": Failure(_event('{"choices": ['), "broke off or sent what is no chat", "URL"),
    "an error in an event": Failure(
        _event('{"error": {"message": "out of memory"}}'), r"no chat completion \(out of memory\)", "URL"
    ),
    "a page with 200": Failure(Reply(body=_PAGE), "sent no chat completion", "URL", _PAGE),
    "JSON with 200": Failure(Reply(body={"message": "hello"}), "sent no chat completion", "URL"),
    "events of something else": Failure(
        Reply([b'data: {"a": 1}\n\ndata: [1]\n\ndata: 2\n\n', {"choices": [{}]}], finish=None),
        "sent no chat completion",
        "URL",
    ),
    "tool calls": Failure(
        Reply([_CALL], finish="tool_calls"), r"wrote nothing \(finish_reason tool_calls\)", "MODEL"
    ),
    "no text": Failure(Reply([""]), r"wrote nothing \(finish_reason stop\)", "MODEL"),
    "thoughts alone": Failure(
        Reply([{"reasoning_content": "Let me see."}]), r"wrote nothing \(finish_reason stop\)", "MODEL"
    ),
    "thoughts to the longest length": Failure(
        Reply([{"reasoning_content": "Let me see."}], finish="length"), r"cut at \d+ tokens", "CONTEXT"
    ),
}

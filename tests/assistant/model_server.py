"""A language model's server, for tests: it speaks the OpenAI chat API over a socket and keeps a script."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from http.server import BaseHTTPRequestHandler
from typing import Any

from assistant.assistant import Assistant
from assistant.llm.client import LanguageModel
from tests.local_server import LocalServer

MODEL = "test-model"
KEY = "sk-very-secret-0123456789"


class Fault(Enum):
    """What can happen between two pieces of a reply."""

    WAIT = "say nothing until the client goes away"
    CUT = "close the connection"


#: A piece of text, a delta or a whole event as JSON, bytes as they are, or a fault.
Step = str | Mapping[str, Any] | bytes | Fault


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server does with one chat request.

    Attributes:
        steps: of a stream, in order.
        finish: the reason to end with; None ends without one.
        status: other than 200: `body` is sent instead of a stream.
        headers: beside those of every reply.
        silent: send not even the head.
    """

    steps: Sequence[Step] = ()
    finish: str | None = "stop"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | str | bytes = ""
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent; header names in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """All messages."""
        return "\n".join(message["content"] for message in self.body["messages"])


Script = Callable[[Request], Reply]


def said(text: str, size: int = 7, **changes: Any) -> Reply:
    """A reply of a text, cut into pieces."""
    return Reply([text[at : at + size] for at in range(0, len(text), size)], **changes)


def refusal(status: int, message: str, **changes: Any) -> Reply:
    """An error as such servers tell it."""
    return Reply(status=status, body={"error": {"message": message, "code": status}}, **changes)


class ModelServer(LocalServer):
    """Serves replies in their order, the last again and again, or what a function makes of each request.

    Attributes:
        requests: chat requests so far.
        gone: set when a client went away before the end of its reply.
    """

    def __init__(
        self, *replies: Reply, script: Script | None = None, models: Sequence[str] | str = (MODEL,)
    ) -> None:
        super().__init__(_Handler)
        self.requests: list[Request] = []
        self.gone = threading.Event()
        self.models = models
        self._replies = replies
        self._script = script
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """Root of the API."""
        return f"{self.address}/v1"

    def model(self, name: str = MODEL, key: str = KEY, **options: Any) -> LanguageModel:
        """A client of it."""
        return LanguageModel(self.url, name, key, **options)

    def writing_for(self, assistant: Assistant, **options: Any) -> Assistant:
        """An assistant with this language model."""
        return replace(assistant, model=self.model(**options))

    def reply(self, request: Request) -> Reply:
        """What to do with a request, which is kept."""
        with self._lock:
            self.requests.append(request)
            place = len(self.requests) - 1
        if self._script:
            return self._script(request)
        return self._replies[min(place, len(self._replies) - 1)]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: ModelServer

    def do_GET(self) -> None:
        models = self.served.models
        if isinstance(models, str):
            self._whole(200, models, {})
        else:
            self._whole(200, {"object": "list", "data": [{"id": m, "object": "model"} for m in models]}, {})

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.served.reply(Request(self.path, headers, sent))
        try:
            if reply.silent:
                self._until_gone()
            elif reply.status != 200 or reply.body:
                self._whole(reply.status, reply.body, reply.headers)
            else:
                self._stream(reply)
        except OSError:
            self.served.gone.set()
        self.close_connection = True

    def _whole(self, status: int, body: Mapping[str, Any] | str | bytes, headers: Mapping[str, str]) -> None:
        kind = "text/html" if isinstance(body, str) else "application/json"
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        data = text.encode() if isinstance(text, str) else text
        self._head(status, {"Content-Type": kind, "Content-Length": str(len(data)), **headers})
        self.wfile.write(data)

    def _stream(self, reply: Reply) -> None:
        self._head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        self._event({"role": "assistant", "content": ""})
        for step in reply.steps:
            if step is Fault.WAIT:
                self._until_gone()
                return
            if step is Fault.CUT:  # without the chunk that ends the body
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if isinstance(step, bytes):
                self._chunk(step)
            elif isinstance(step, str):
                self._event({"content": step})
            elif isinstance(step, Mapping):
                self._event(step)
        if reply.finish is not None:
            self._event({}, reply.finish)
            self._chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _event(self, delta: Mapping[str, Any], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        whole = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": MODEL}
        event = delta if "choices" in delta else {**whole, "choices": [choice]}
        self._chunk(b"data: " + json.dumps(event).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()

    def _until_gone(self) -> None:
        while self.connection.recv(1024):
            continue
        self.served.gone.set()

    def log_message(self, format: str, *args: object) -> None:
        return

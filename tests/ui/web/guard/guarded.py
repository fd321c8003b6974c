"""Requests to a small app behind the guard, without a server."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request

from ui.web.guard import PageFunctions, ReceivedFiles, Uploads, guard
from ui.web.guard.asgi import App, Message, Receive, Send

Headers = Sequence[tuple[bytes, bytes]]
JSON = ((b"content-type", b"application/json"),)


def given(password: str, user: str = "anyone") -> Headers:
    """The header of a password."""
    return [(b"authorization", b"Basic " + base64.b64encode(f"{user}:{password}".encode()))]


class Replied:
    """What an app answered."""

    def __init__(self, sent: list[Message]) -> None:
        self.status: int = sent[0]["status"]
        self.headers: dict[bytes, bytes] = dict(sent[0]["headers"])
        self.body = b"".join(message.get("body", b"") for message in sent[1:]).decode()


#: A function that is called directly, one that takes a text and files, and an endpoint.
_PAGE = PageFunctions(named=frozenset({"ask"}), direct=frozenset({0}), files={1: frozenset({1})})


class Guarded:
    """An app that gives back what reaches it.

    Args:
        host: that it would listen on.
        uploads: where files that are sent lie.
        others: see `guard`.
    """

    def __init__(self, host: str = "127.0.0.1", *, uploads: Uploads | None = None, **others: Any) -> None:
        self.received = ReceivedFiles()
        self._app = FastAPI(openapi_url=None)

        @self._app.get("/{path:path}")
        async def page(path: str) -> str:
            return "page"

        @self._app.post("/{path:path}")
        async def body(path: str, request: Request) -> str:
            return (await request.body()).decode()

        guard(self._app, _PAGE, host=host, uploads=uploads, received=self.received, **others)

    def __call__(self, path: str = "/", body: Sequence[bytes] | None = None, **others: Any) -> Replied:
        """How it answers a request; one with a body is a POST."""
        return answer(self._app, path, body, **others)

    def post(self, path: str, sent: object, **others: Any) -> Replied:
        """How it answers JSON."""
        return self(path, [json.dumps(sent).encode()], headers=JSON, **others)


async def yes(scope: Message, receive: Receive, send: Send) -> None:
    """Say yes to everything."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"yes"})


def answer(
    app: App,
    path: str = "/",
    body: Sequence[bytes] | None = None,
    *,
    headers: Headers = (),
    named: str = "localhost",
    method: str = "",
    client: str = "127.0.0.1",
) -> Replied:
    """How an app answers a request; one with a body is a POST."""
    parts = [*(body or (b"",))]
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method or ("GET" if body is None else "POST"),
        "path": path,
        "query_string": b"",
        "client": (client, 1),
        "headers": [(b"host", named.encode()), *headers],
    }
    asyncio.run(run(app, scope, receive, send))
    return Replied(sent)


async def run(app: App, scope: Message, receive: Receive, send: Send) -> None:
    """Call an app."""
    await app(scope, receive, send)

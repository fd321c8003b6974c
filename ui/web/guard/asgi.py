"""What the parts of the guard share: the types of ASGI, a request's headers, and a refusal."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]
#: Of an answer before the whole request was read: the rest of it is not.
CLOSE: tuple[Header, ...] = ((b"connection", b"close"),)

#: The state of the server, told to everyone: monitors have no password.
ALIVE = "/healthz"
API = "/gradio_api"
UPLOAD = f"{API}/upload"


def header(scope: Message, name: str) -> str:
    """Return a header of a request, "" where it is missing.

    One that stands several times is joined by commas, as RFC 9110 reads it, so no copy of it is overlooked.
    """
    wanted = name.encode()
    return ", ".join(value.decode("latin-1") for key, value in scope["headers"] if key == wanted)


def plain_path(scope: Message) -> str:
    """Return the path of a request without a slash at its end."""
    path: str = scope["path"]
    return path.rstrip("/") or "/"


async def refuse(send: Send, status: int, line: str, headers: Iterable[Header] = ()) -> None:
    """Answer a request with one line, as the JSON that gradio's clients read.

    Args:
        send: of the request.
        status: HTTP status.
        line: what is wrong and what to do; it holds nothing that the request held.
        headers: beside the type of the content.
    """
    body = json.dumps({"detail": line, "error": line}, ensure_ascii=False).encode()
    start = [(b"content-type", b"application/json; charset=utf-8"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body + b"\n"})

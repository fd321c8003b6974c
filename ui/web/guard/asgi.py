"""ASGI types and helpers shared by the middleware."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]
#: Header of responses sent before the whole request was read, so that the rest is discarded.
CLOSE: tuple[Header, ...] = ((b"connection", b"close"),)

#: Paths of the health check and of readiness, which need no password, and of the metrics.
ALIVE, READY, METRICS = "/healthz", "/readyz", "/metrics"
API = "/gradio_api"
UPLOAD = f"{API}/upload"
MCP = f"{API}/mcp"


def header(scope: Message, name: str) -> str:
    """Return a header of a request, "" if it is missing.

    Repeated headers are joined by commas (RFC 9110), so that no copy is overlooked.

    Args:
        scope: ASGI scope of the request.
        name: name of the header in lower case.
    """
    wanted = name.encode()
    return ", ".join(value.decode("latin-1") for key, value in scope["headers"] if key == wanted)


def plain_path(scope: Message) -> str:
    """Return the path of a request without a trailing slash.

    Args:
        scope: ASGI scope of the request.
    """
    path: str = scope["path"]
    return path.rstrip("/") or "/"


async def refuse(send: Send, status: int, line: str, headers: Iterable[Header] = ()) -> None:
    """Send an error response of one line, as the JSON that gradio's clients read.

    Args:
        send: ASGI send function.
        status: HTTP status.
        line: message; must not contain anything from the request.
        headers: additional headers.
    """
    body = json.dumps({"detail": line, "error": line}, ensure_ascii=False).encode()
    start = [(b"content-type", b"application/json; charset=utf-8"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body + b"\n"})

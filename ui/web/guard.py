"""What browsers may do with the page, who may use it, and how much they may send."""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastapi import FastAPI

Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[Message]]
_Send = Callable[[Message], Awaitable[None]]
_App = Callable[[Message, _Receive, _Send], Awaitable[None]]

#: Nothing is loaded from or sent to elsewhere, whatever a document holds.
POLICY = (
    "default-src 'self'; "
    "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; "
    "media-src 'self' data: blob:; "
    "font-src 'self' data:; "
    "worker-src 'self' blob:; "
    "object-src 'none'; "
    "base-uri 'self'; "
    "form-action 'self'; "
    "frame-ancestors 'self'"
)
_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)

#: Addresses that only this machine reaches.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: Bytes of a request that is no upload: a long answer that is sent back with a thumb is the longest.
MAX_BODY = 2_000_000
_UPLOADS = ("/gradio_api/upload",)
_ALIVE = "/healthz"


def guard(app: FastAPI, host: str, password: str = "", *, uploads: bool = False) -> None:
    """Limit what browsers may do with an app; one for this machine alone answers its names only.

    Args:
        app: to be guarded.
        host: that it listens on.
        password: asked of everyone but at `/healthz`, whatever the user name; "" for nobody.
        uploads: files may be sent.
    """
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    app.add_middleware(_Limited, uploads=uploads)
    if password:
        app.add_middleware(_Locked, password=password)
    if host in LOOPBACK:
        # A page elsewhere that makes its own name point here must not read the answers.
        names = [f"[{name}]" if ":" in name else name for name in LOOPBACK]
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=names)
    app.add_middleware(_Headed)


class _Headed:
    """Adds the headers that tell a browser what this page may load."""

    def __init__(self, app: _App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: _Receive, send: _Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        await self._app(scope, receive, guarded)


class _Locked:
    """Asks for the password (RFC 7617), also of programs; a wrong one tells nothing."""

    def __init__(self, app: _App, password: str) -> None:
        self._app = app
        self._password = password.encode()

    async def __call__(self, scope: Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"] == _ALIVE or self._known(scope):
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        challenge = (b"www-authenticate", b'Basic realm="torchnotes", charset="UTF-8"')
        await _refuse(send, 401, "a password is needed; give any user name with it", [challenge])

    def _known(self, scope: Message) -> bool:
        given = dict(scope["headers"]).get(b"authorization", b"")
        kind, _, encoded = given.partition(b" ")
        if kind.lower() != b"basic":
            return False
        try:
            _, _, password = base64.b64decode(encoded, validate=True).partition(b":")
        except binascii.Error:
            return False
        return hmac.compare_digest(password, self._password)


class _Limited:
    """Refuses uploads where none are allowed, and requests that are longer than any of ours."""

    def __init__(self, app: _App, *, uploads: bool) -> None:
        self._app = app
        self._uploads = uploads

    async def __call__(self, scope: Message, receive: _Receive, send: _Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        uploading = scope["path"].rstrip("/") in _UPLOADS
        if uploading and not self._uploads:
            line = (
                "this server takes no files; its operator allows them with `torchnotes web --allow-documents`"
            )
            await _refuse(send, 403, line)
            return
        if uploading:  # gradio counts their bytes
            await self._app(scope, receive, send)
            return
        body = await _read(receive)
        if body is None:
            await _refuse(send, 413, f"the request has more than {MAX_BODY} bytes; send less")
            return
        await self._app(scope, _again(body, receive), send)


async def _read(receive: _Receive) -> bytes | None:
    """The body of a request, None where it is too long."""
    body = b""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            return None
    return body


def _again(body: bytes, receive: _Receive) -> _Receive:
    """Gives a body that was read once more, and then whatever comes."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _refuse(
    send: _Send, status: int, line: str, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    plain = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [plain, *(headers or [])]})
    await send({"type": "http.response.body", "body": f"{line}\n".encode()})

"""Validation of request bodies: length, time, and content.

gradio never sees a body that was not checked: bodies are read completely, with limits on length and time, and
JSON is serialised again after parsing, so that gradio cannot interpret it differently.
"""

from __future__ import annotations

import asyncio
import json

import anyio.to_thread

from ui.shared.received import ReceivedFiles
from ui.web.guard.asgi import (
    CLOSE,
    MCP,
    UPLOAD,
    App,
    Header,
    Message,
    Receive,
    Send,
    header,
    plain_path,
    refuse,
)
from ui.web.guard.files import PageFunctions
from ui.web.guard.payloads import BodyError, check_call, check_files, check_form, read_json

#: Maximum bytes of requests other than uploads; the longest are ratings, which contain the answer.
MAX_BODY = 2_000_000
#: Seconds to wait for the next part of a request, and for all parts.
PART_TIMEOUT, BODY_TIMEOUT = 10.0, 60.0
_LONG = 50_000  # bytes from which a body is checked in a thread
_BODYLESS = ("GET", "HEAD", "DELETE")
_NO_LENGTH = "the length of the request is not told; send it with Content-Length"
_NO_UPLOADS = "this server takes no files; its operator allows them with `torchnotes web --allow-documents`"


class Bodies:
    """Reads and checks the body of each request, and passes on what was parsed.

    Args:
        app: next ASGI app.
        uploads: whether files may be uploaded.
        functions: functions of the page.
        received: tracks the uploaded files.
    """

    def __init__(self, app: App, *, uploads: bool, functions: PageFunctions, received: ReceivedFiles) -> None:
        self._app = app
        self._uploads = uploads
        self._functions = functions
        self._received = received

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif header(scope, "transfer-encoding"):
            await refuse(send, 411, _NO_LENGTH, CLOSE)
        elif plain_path(scope) == UPLOAD:
            await self._upload(scope, receive, send)
        else:
            try:
                body = await _read(receive)
                # Checking a long body takes time, so it must not block the event loop.
                checked = (
                    await anyio.to_thread.run_sync(self._checked, scope, body)
                    if len(body) > _LONG
                    else self._checked(scope, body)
                )
            except BodyError as error:
                await refuse(send, error.status, str(error), CLOSE if error.status in (408, 413) else ())
                return
            lengthless = [each for each in scope["headers"] if each[0] != b"content-length"]
            length: list[Header] = [(b"content-length", str(len(checked)).encode())] if checked else []
            known = {**scope, "headers": [*lengthless, *length]}
            await self._app(known, _again(checked, receive), _quiet(scope, send))

    async def _upload(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let files through, which gradio writes as they come."""
        if self._uploads:
            await self._app(scope, _timed(receive), send)
        else:
            await refuse(send, 403, _NO_UPLOADS)

    def _checked(self, scope: Message, body: bytes) -> bytes:
        """Return the body to pass on.

        Raises:
            BodyError: the body is rejected.
        """
        if not body:
            return body
        if scope["method"] in _BODYLESS:
            raise BodyError(400, "a request of this kind has no body; send none")
        if header(scope, "content-type").partition(";")[0].strip().lower() != "application/json":
            raise BodyError(415, "send JSON, with the header Content-Type: application/json")
        sent = read_json(body)
        check_form(plain_path(scope), sent)
        check_call(plain_path(scope), sent, self._functions)
        check_files(plain_path(scope), sent, self._functions, self._received)
        return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()


async def _read(receive: Receive) -> bytes:
    """Return the body of a request.

    Raises:
        BodyError: it is too long, or arrives too slowly.
    """
    timed = _timed(receive)
    body = b""
    more = True
    while more:
        try:
            message = await timed()
        except asyncio.TimeoutError:
            raise BodyError(408, "the request came too slowly; send it again") from None
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            raise BodyError(413, f"the request has more than {MAX_BODY} bytes; send less")
    return body


def _timed(receive: Receive) -> Receive:
    """Return a `receive` that times out on a slow request; after the request it waits without limit."""
    until = asyncio.get_running_loop().time() + BODY_TIMEOUT
    over = False

    async def timed() -> Message:
        nonlocal over
        if over:
            return await receive()
        left = min(PART_TIMEOUT, until - asyncio.get_running_loop().time())
        message = await asyncio.wait_for(receive(), max(left, 0))
        over = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return timed


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that replays a body, and then continues with the original one."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _quiet(scope: Message, send: Send) -> Send:
    """Return a `send` that says in one line what the app would answer by giving back what was sent."""
    replaced = False
    echoing = (400, 422) if plain_path(scope).startswith(MCP) else (422,)

    async def quiet(message: Message) -> None:
        nonlocal replaced
        if message["type"] == "http.response.start" and message["status"] in echoing:
            replaced = True
            status = message["status"]
            await refuse(
                send, status, "the request is not of the form that is read here; see /gradio_api/info"
            )
        elif not replaced:
            await send(message)

    return quiet

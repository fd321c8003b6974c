"""Requests that send files: taken while there is room, read within bounds, answered in one line."""

from __future__ import annotations

import asyncio
import logging
import re
from email.message import Message as Head

import anyio
from starlette.requests import ClientDisconnect

from ingest.errors import TorchnotesError
from ingest.fetch import MAX_BYTES
from ui.shared.received import ReceivedFiles
from ui.web.guard.asgi import CLOSE, UPLOAD, App, Message, Receive, Send, header, plain_path, refuse
from ui.web.guard.uploads import FullError, Uploads

_log = logging.getLogger(__name__)
_BOUNDARY = re.compile(r"[A-Za-z0-9'()+_,./:=?-]{1,70}")  # RFC 2046, without spaces
_NO_LENGTH = "the length of an upload is not told; send it with Content-Length"
_NO_FORM = "the upload is no form with files in it (multipart/form-data); send it as the page does"
_TOO_SLOW = "the upload came too slowly; send it again"
_NO_ROOM = "the server cannot keep the files now; try later, or tell its operator"
_TOO_LONG = f"a file has more than {MAX_BYTES // (1024 * 1024)} MB, or too long a head; send a shorter one"


class _TooManyPartsError(TorchnotesError):
    """A request has more files and fields than it may."""


class UploadQuota:
    """Takes uploads while there is room for them, and deletes old ones as long as the server runs.

    ASGI middleware: `app.add_middleware(UploadQuota, uploads=Uploads(folder))`.

    Args:
        app: what receives the files.
        uploads: where they lie.
        received: remembers them.
    """

    def __init__(self, app: App, uploads: Uploads, received: ReceivedFiles | None = None) -> None:
        self._app = app
        self._uploads = uploads
        self._received = received or ReceivedFiles()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or live as long as the server does."""
        if scope["type"] == "lifespan":
            async with anyio.create_task_group() as group:
                group.start_soon(self._keep_tidy)
                await self._app(scope, receive, send)
                group.cancel_scope.cancel()
        elif scope["type"] == "http" and plain_path(scope) == UPLOAD and scope["method"] == "POST":
            await self._take(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _take(self, scope: Message, receive: Receive, send: Send) -> None:
        # The server reads no more of a body than this tells of: bodies without a length are refused before.
        told = header(scope, "content-length")
        if not (told.isascii() and told.isdigit()):
            await refuse(send, 411, _NO_LENGTH, CLOSE)
            return
        length, most = int(told), self._uploads.limits.request
        if length > most:
            line = f"the upload has {length} bytes and may have {most}; send fewer files at once"
            await refuse(send, 413, line, CLOSE)
            return
        boundary = _boundary(scope)
        if not boundary:
            await refuse(send, 400, _NO_FORM, CLOSE)
            return
        client = scope.get("client")
        address = str(client[0]) if client else ""
        try:
            await anyio.to_thread.run_sync(self._uploads.reserve, length, address)
        except FullError as error:
            await refuse(send, 507, str(error), CLOSE)
            return
        parts = _Parts(receive, boundary.encode(), self._uploads.limits.parts)
        # Passed on as it was understood here, so that the form has no other boundary for who reads it.
        kind = (b"content-type", f'multipart/form-data; boundary="{boundary}"'.encode())
        others = [each for each in scope["headers"] if each[0] != b"content-type"]
        paths: tuple[str, ...] = ()
        try:
            status, line, answer = await self._answer({**scope, "headers": [*others, kind]}, parts)
            if status == 200:
                paths = self._received.note(answer)
        finally:
            self._uploads.release(length, address, paths, parts.count)
        if line:
            await refuse(send, status, line, CLOSE)
        elif status:
            await send({"type": "http.response.start", "status": 200, "headers": _JSON})
            await send({"type": "http.response.body", "body": answer})

    async def _answer(self, scope: Message, parts: _Parts) -> tuple[int, str, bytes]:
        """Have the files received.

        Returns:
            The status of the answer, 0 where nobody waits for one; the line that refuses, "" for none; and
            what receives the files said.
        """
        replied = _Reply()
        try:
            await self._app(scope, parts.receive, replied.send)
        except ClientDisconnect:
            return 0, "", b""
        except _TooManyPartsError as error:
            return 413, str(error), b""
        except asyncio.TimeoutError:
            return 408, _TOO_SLOW, b""
        except OSError:
            _log.exception("files that were sent cannot be kept")
            return 507, _NO_ROOM, b""
        except Exception as error:  # noqa: BLE001 - whatever stops gradio's reader is wrong with the request
            _log.warning("an upload of another form was refused (%s)", type(error).__name__)
            return 400, _NO_FORM, b""
        if replied.status == 200:
            return 200, "", replied.body
        return (413, _TOO_LONG, b"") if replied.status == 413 else (400, _NO_FORM, b"")

    async def _keep_tidy(self) -> None:
        while True:
            await anyio.to_thread.run_sync(self._uploads.tidy)
            await anyio.sleep(self._uploads.limits.every)


_JSON = [(b"content-type", b"application/json")]


def _boundary(scope: Message) -> str:
    """Return what stands between the parts of a form, "" where a request is none or does not say so."""
    kinds = [value for name, value in scope["headers"] if name == b"content-type"]
    if len(kinds) != 1:
        return ""
    head = Head()
    head["content-type"] = kinds[0].decode("latin-1")
    boundary = head.get_boundary("") if head.get_content_type() == "multipart/form-data" else ""
    return boundary if _BOUNDARY.fullmatch(boundary) else ""


class _Reply:
    """What an app answers; it says which files it took, so it is kept until that is noted."""

    def __init__(self) -> None:
        self.status = 0
        self.body = b""

    async def send(self, message: Message) -> None:
        """Take a part of the answer."""
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")


class _Parts:
    """Counts the parts of a form while it is read.

    Args:
        receive: of the request.
        boundary: what stands before each part, behind two hyphens; two more behind it end the form.
        most: parts that it may have.
    """

    def __init__(self, receive: Receive, boundary: bytes, most: int) -> None:
        self._receive = receive
        self._marks, self._ends = _Word(b"--" + boundary), _Word(b"--" + boundary + b"--")
        self._most = most

    @property
    def count(self) -> int:
        """Parts that were read so far."""
        return self._marks.count - self._ends.count

    async def receive(self) -> Message:
        """Return the next message of the request.

        Raises:
            _TooManyPartsError: it has more parts than it may.
        """
        message = await self._receive()
        for word in (self._marks, self._ends):
            word.read(message.get("body", b""))
        if self.count > self._most:
            raise _TooManyPartsError(f"the upload has more than {self._most} files; send fewer at once")
        return message


class _Word:
    """Counts a word in what comes piece by piece."""

    def __init__(self, word: bytes) -> None:
        self.count = 0
        self._word = word
        self._end = b""  # of what was read so far, where the first half of it may stand

    def read(self, piece: bytes) -> None:
        """Count it in the next piece."""
        read = self._end + piece
        self.count += read.count(self._word)
        self._end = read[max(0, len(read) - len(self._word) + 1) :]

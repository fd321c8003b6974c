"""Files that visitors sent and that are in no index yet: how many may lie there, and for how long."""

from __future__ import annotations

import logging
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import anyio

from ingest.errors import TorchnotesError
from ingest.fetch import MAX_BYTES
from ui.web.guard.asgi import CLOSE, UPLOAD, App, Message, Receive, Send, header, plain_path, refuse

_log = logging.getLogger(__name__)
#: Files that are read of one request.
MOST_FILES = 20
_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """How much may lie there.

    Attributes:
        request: bytes of one request.
        total: bytes of all files, those that are being sent with them.
        files: how many; what one request brings above that stays.
        age: seconds until a file is deleted that nobody added to the index.
        every: seconds between two looks for such files.
    """

    request: int = MOST_FILES * MAX_BYTES + _MEGABYTE
    total: int = 2 * MOST_FILES * MAX_BYTES
    files: int = 500
    age: float = 3600.0
    every: float = 60.0


class FullError(TorchnotesError):
    """No room is left for what a visitor sends."""


class Uploads:
    """The folder that files are sent to; whatever lies in it is deleted when it is old enough.

    Args:
        folder: of this server alone.
        limits: how much may lie there.
    """

    def __init__(self, folder: Path, limits: UploadLimits | None = None) -> None:
        self.limits = limits or UploadLimits()
        self._folder = folder
        self._coming = 0
        self._lock = threading.Lock()

    def tidy(self) -> tuple[int, int]:
        """Delete the files that are too old, and the folders that are empty then.

        Returns:
            How many files are left, and their bytes.
        """
        oldest = time.time() - self.limits.age
        files = held = 0
        for folder, _, names in os.walk(self._folder, topdown=False):
            for name in names:  # links to folders are not among them, and are not followed
                path = Path(folder, name)
                try:
                    state = path.lstat()
                    if state.st_mtime >= oldest:
                        files, held = files + 1, held + state.st_size
                    else:
                        path.unlink()
                except FileNotFoundError:  # it was added to the index meanwhile
                    continue
                except OSError as error:
                    _log.warning("%s, which a visitor sent, cannot be deleted: %s", path, error)
            # One that changed just now may be for a file that comes into it next: it goes when it is old.
            with suppress(OSError):  # files lie in it
                if Path(folder) != self._folder and Path(folder).stat().st_mtime < oldest:
                    Path(folder).rmdir()
        return files, held

    def reserve(self, length: int) -> None:
        """Keep room for what is being sent; `release` gives it back.

        Args:
            length: of the request, in bytes.

        Raises:
            FullError: it does not fit.
        """
        limits = self.limits
        files, held = self.tidy()
        with self._lock:
            if files >= limits.files or held + self._coming + length > limits.total:
                raise FullError(
                    f"{length} bytes do not fit now: files that nobody has added yet may be {limits.files} "
                    f"and have {limits.total // _MEGABYTE} MB, and are deleted after {limits.age / 60:.0f} "
                    "minutes; try later"
                )
            self._coming += length

    def release(self, length: int) -> None:
        """Give back the room of what lies there now, or came to nothing."""
        with self._lock:
            self._coming -= length


class UploadQuota:
    """Takes uploads while there is room for them, and deletes old ones as long as the server runs.

    ASGI middleware: `app.add_middleware(UploadQuota, uploads=Uploads(folder))`.

    Args:
        app: what receives the files.
        uploads: where they lie.
    """

    def __init__(self, app: App, uploads: Uploads) -> None:
        self._app = app
        self._uploads = uploads

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or live as long as the server does."""
        if scope["type"] == "lifespan":
            async with anyio.create_task_group() as group:
                group.start_soon(self._keep_tidy)
                await self._app(scope, receive, send)
                group.cancel_scope.cancel()
        elif scope["type"] == "http" and plain_path(scope) == UPLOAD:
            await self._take(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _take(self, scope: Message, receive: Receive, send: Send) -> None:
        # The server reads no more of a body than this tells of: bodies without a length are refused before.
        told = header(scope, "content-length")
        if not (told.isascii() and told.isdigit()):
            line = "the length of an upload is not told; send it with Content-Length"
            await refuse(send, 411, line, CLOSE)
            return
        length, most = int(told), self._uploads.limits.request
        if length > most:
            line = f"the upload has {length} bytes and may have {most}; send fewer files at once"
            await refuse(send, 413, line, CLOSE)
            return
        try:
            await anyio.to_thread.run_sync(self._uploads.reserve, length)
        except FullError as error:
            await refuse(send, 507, str(error), CLOSE)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._uploads.release(length)

    async def _keep_tidy(self) -> None:
        while True:
            await anyio.to_thread.run_sync(self._uploads.tidy)
            await anyio.sleep(self._uploads.limits.every)

"""Limits on the number, size and age of uploaded files that are not yet in an index."""

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
#: Maximum number of files read per request.
MOST_FILES = 20
_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Limits on uploaded files.

    Attributes:
        request: maximum bytes of a request.
        total: maximum bytes of all files, including those being uploaded.
        files: maximum number of files; a single request may exceed it.
        age: seconds after which a file is deleted.
        every: seconds between two searches for old files.
    """

    request: int = MOST_FILES * MAX_BYTES + _MEGABYTE
    total: int = 2 * MOST_FILES * MAX_BYTES
    files: int = 500
    age: float = 3600.0
    every: float = 60.0


class FullError(TorchnotesError):
    """There is no room for an upload."""


class Uploads:
    """The folder of uploaded files; old files in it are deleted.

    Args:
        folder: folder used by this server only.
        limits: limits on the files; None: the defaults.

    Attributes:
        limits: as given.
    """

    def __init__(self, folder: Path, limits: UploadLimits | None = None) -> None:
        self.limits = limits or UploadLimits()
        self._folder = folder
        self._coming = 0
        self._lock = threading.Lock()

    def tidy(self) -> tuple[int, int]:
        """Delete old files and empty old folders.

        Returns:
            Number and bytes of the remaining files.
        """
        oldest = time.time() - self.limits.age
        files = held = 0
        for folder, _, names in os.walk(self._folder, topdown=False):
            for name in names:  # without links to folders, which are not followed
                path = Path(folder, name)
                try:
                    state = path.lstat()
                    if state.st_mtime >= oldest:
                        files, held = files + 1, held + state.st_size
                    else:
                        path.unlink()
                except FileNotFoundError:  # it has been added to the index
                    continue
                except OSError as error:
                    _log.warning("%s, which a visitor sent, cannot be deleted: %s", path, error)
            # A recently created folder may be about to receive a file, so only old ones are removed.
            with suppress(OSError):  # it is not empty
                if Path(folder) != self._folder and Path(folder).stat().st_mtime < oldest:
                    Path(folder).rmdir()
        return files, held

    def reserve(self, length: int) -> None:
        """Reserve room for an upload; to be returned by `release`.

        Args:
            length: bytes of the request.

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
        """Return the room of an upload that has ended.

        Args:
            length: bytes of the request.
        """
        with self._lock:
            self._coming -= length


class UploadQuota:
    """Accepts uploads while there is room, and deletes old files while the server runs.

    ASGI middleware: `app.add_middleware(UploadQuota, uploads=Uploads(folder))`.

    Args:
        app: next ASGI app, which receives the files.
        uploads: folder of the files.
    """

    def __init__(self, app: App, uploads: Uploads) -> None:
        self._app = app
        self._uploads = uploads

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request, or the lifespan of the server.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
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
        # The server reads no more than this length; chunked bodies have already been rejected.
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

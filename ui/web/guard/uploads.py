"""Limits on the number, size and age of uploaded files that are not yet in an index."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ingest.errors import TorchnotesError
from ingest.fetch import MAX_BYTES
from ui.web.guard.senders import is_this_machine, sender_of

_log = logging.getLogger(__name__)
#: Maximum number of files read per request.
MOST_FILES = 20
_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Limits on uploaded files.

    Attributes:
        request: bytes of one request, and of the files of one sender.
        parts: files and fields of one request.
        total: bytes of all files, those that are being sent with them.
        files: how many; what one request brings above that stays.
        share: how many of them one sender may have, so that others can send some; this machine may have all.
        age: seconds until a file is deleted that nobody added to the index.
        every: seconds between two looks for such files.
    """

    request: int = MOST_FILES * MAX_BYTES + _MEGABYTE
    parts: int = 100
    total: int = 2 * MOST_FILES * MAX_BYTES
    files: int = 500
    share: int = 200
    age: float = 3600.0
    every: float = 60.0


class FullError(TorchnotesError):
    """There is no room for an upload."""


@dataclass(frozen=True, slots=True)
class _Request:
    """What a request left in the folder.

    Attributes:
        when: it ended, by the clock of files.
        paths: of its files, as the page knows them.
        others: files that it opened beside these, which nobody can name: at most so many.
        length: bytes, all of it.
    """

    when: float
    paths: tuple[str, ...]
    others: int
    length: int

    def held(self) -> tuple[int, int]:
        """Return how many files of it are left, and their bytes."""
        if self.others:
            return self.others + len(self.paths), self.length
        sizes = [path.stat().st_size for path in map(Path, self.paths) if path.exists()]
        return len(sizes), sum(sizes)


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
        self._coming: dict[str, list[int]] = {}  # lengths of the requests that are being sent, by sender
        self._left: dict[str, list[_Request]] = {}
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

    def reserve(self, length: int, address: str = "") -> None:
        """Keep room for what is being sent; `release` gives it back.

        Args:
            length: of the request, in bytes.
            address: of its sender; "" for this machine.

        Raises:
            FullError: it does not fit.
        """
        limits = self.limits
        files, held = self.tidy()
        with self._lock:
            self._check_share(length, address)
            if files >= limits.files or held + sum(map(sum, self._coming.values())) + length > limits.total:
                raise FullError(
                    f"{length} bytes do not fit now: files that nobody has added yet may be {limits.files} "
                    f"and have {limits.total // _MEGABYTE} MB, and are deleted after {limits.age / 60:.0f} "
                    "minutes; try later"
                )
            self._coming.setdefault(sender_of(address), []).append(length)

    def release(self, length: int, address: str = "", paths: Sequence[str] = (), parts: int = 0) -> None:
        """Give back the room of what lies there now, or came to nothing.

        Args:
            length: as it was reserved.
            address: as it was reserved.
            paths: of the files that came of it.
            parts: files and fields that it had; what is in no path may lie there as well.
        """
        sender = sender_of(address)
        left = _Request(time.time(), tuple(paths), max(0, parts - len(paths)), length)
        with self._lock:
            coming = self._coming[sender]
            coming.remove(length)
            if not coming:
                del self._coming[sender]
            if (parts or paths) and not is_this_machine(address):
                self._left.setdefault(sender, []).append(left)

    def _check_share(self, length: int, address: str) -> None:
        """Refuse what goes beyond the share of its sender."""
        if is_this_machine(address):
            return
        limits, sender, oldest = self.limits, sender_of(address), time.time() - self.limits.age
        young = {each: [one for one in left if one.when >= oldest] for each, left in self._left.items()}
        self._left = {each: left for each, left in young.items() if left}
        coming = self._coming.get(sender, [])
        held = [request.held() for request in self._left.get(sender, [])]
        files = sum(count for count, _ in held) + limits.parts * len(coming)
        size = sum(count for _, count in held) + sum(coming)
        if files >= limits.share or size + length > limits.request:
            raise FullError(
                f"{length} bytes do not fit now: what one sender has not added yet may be {limits.share} "
                f"files with {limits.request // _MEGABYTE} MB, and is deleted after {limits.age / 60:.0f} "
                "minutes; add what you sent, or try later"
            )

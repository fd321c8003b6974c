"""Error messages for files that cannot be written: the cause, the free space, and what to do."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

from ingest.errors import TorchnotesError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_CAUSES = (*FULL, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)


def unwritable(what: str, folder: Path, error: Exception) -> TorchnotesError:
    """Return the error to raise when a file cannot be written.

    Args:
        what: what could not be written, with its path.
        folder: folder it was to be written to; need not exist.
        error: the original error; FAISS raises RuntimeError with the system's message.
    """
    number, reason = _cause(error)
    if number in FULL:
        free = _free(folder)
        return TorchnotesError(
            f"{what}: cannot be written ({reason}{free and f', {free} free'}); make room, or set "
            "TORCHNOTES_HOME to a folder on another disk, then type the same command again"
        )
    if number == errno.EISDIR:
        return TorchnotesError(
            f"{what}: cannot be written ({reason}); remove that folder, then type the same command again"
        )
    return TorchnotesError(
        f"{what}: cannot be written ({reason}); make that folder writable, or set TORCHNOTES_HOME to another "
        "folder, then type the same command again"
    )


def _cause(error: Exception) -> tuple[int, str]:
    """Return the errno, 0 if unknown, and the system's message with the file name where known."""
    text = str(error).partition("\n")[0]
    if isinstance(error, OSError) and error.errno:
        target = error.filename2 or error.filename  # for a rename, the destination
        name = f": {target}" if isinstance(target, (str, os.PathLike)) else ""
        return error.errno, f"{error.strerror or text}{name}"
    for number in _CAUSES:
        if os.strerror(number) in text:
            return number, os.strerror(number)
    return 0, text


def _free(folder: Path) -> str:
    """Return the free space on the disk of a folder, "" if unknown."""
    for place in (folder, *folder.absolute().parents):
        try:
            free = float(shutil.disk_usage(place).free)
        except FileNotFoundError:
            continue
        except OSError:
            return ""
        for unit in ("B", "kB", "MB"):
            if free < 1000:
                return f"{free:.0f} {unit}"
            free /= 1000
        return f"{free:.1f} GB"
    return ""

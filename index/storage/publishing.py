"""Atomic publication: one writer at a time, folders put in place by renaming.

Files and folders are synced before the rename, so that a power failure leaves either the old or the new
state.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ingest.errors import TorchnotesError
from ingest.unwritable import unwritable

_LOCK_FILE = "writer.lock"
_HOLDER_FILE = "writer.json"
TEMPORARY_PREFIX = "tmp-"


class IndexBusyError(TorchnotesError):
    """Another process is writing the index."""


@contextmanager
def writer_lock(folder: Path, timeout: float) -> Iterator[None]:
    """Hold the exclusive writer lock of a folder; it is released when the process ends, in whatever way.

    Args:
        folder: folder to write; created if missing.
        timeout: seconds to wait for another process.

    Raises:
        IndexBusyError: another process still holds the lock; the message names it.
        TorchnotesError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / _LOCK_FILE)
        lock.acquire(timeout=timeout)
    except Timeout as error:  # a subclass of OSError, so it comes first
        raise IndexBusyError(
            f"index {folder}: {_holder(folder)} is writing it; waited {timeout:g} s, "
            "try again when it is done"
        ) from error
    except OSError as error:
        raise cannot_write(folder, error) from error
    try:
        holder = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": time.strftime("%Y-%m-%d %H:%M:%S"),
        }
        with suppress(OSError):  # a full disk is reported when the index itself is written
            replace_file(folder / _HOLDER_FILE, json.dumps(holder).encode(), sync=False)
        yield
    finally:
        with suppress(OSError):  # the next writer overwrites it
            (folder / _HOLDER_FILE).unlink()
        lock.release()


def _holder(folder: Path) -> str:
    try:
        holder = json.loads((folder / _HOLDER_FILE).read_bytes())
        return f"process {holder['pid']} on {holder['host']} (since {holder['since']})"
    except (OSError, ValueError, KeyError):  # it has not written the file yet, or has just removed it
        return "another process"


def cannot_write(folder: Path, error: Exception) -> TorchnotesError:
    """Return the error to raise when the index cannot be written.

    Args:
        folder: folder of the index.
        error: the original error.
    """
    return unwritable(f"index {folder}", folder, error)


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Create a folder that is removed on exit, unless the caller renames it.

    Args:
        parent: folder to create it in; created if missing.
    """
    parent.mkdir(parents=True, exist_ok=True)
    # Not tempfile.mkdtemp: other users could not read what it creates, and the index may be shared.
    folder = parent / f"{TEMPORARY_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def publish(folder: Path, target: Path) -> None:
    """Sync a folder to disk, then rename it.

    Args:
        folder: a complete folder.
        target: its final path, on the same file system.
    """
    for path in sorted(folder.rglob("*"), reverse=True):  # the content of a folder before the folder
        _sync(path)
    _sync(folder)
    folder.rename(target)
    _sync(target.parent)


def remove_folder(folder: Path) -> None:
    """Remove a folder by renaming it first, so that readers never see it incomplete.

    If it cannot be removed now, a later writer tries again.

    Args:
        folder: folder to remove.
    """
    if not folder.name.startswith(TEMPORARY_PREFIX):
        aside = folder.with_name(f"{TEMPORARY_PREFIX}{folder.name}")
        try:
            folder.rename(aside)
        except OSError:  # on Windows an open file cannot be moved
            return
        folder = aside
    shutil.rmtree(folder, ignore_errors=True)


def replace_file(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Replace a small file atomically.

    Args:
        path: file to write.
        content: new content.
        sync: sync file and folder to disk.

    Raises:
        OSError: the file cannot be written.
    """
    beside = path.with_name(f"{TEMPORARY_PREFIX}{path.name}")
    try:
        beside.write_bytes(content)
        if sync:
            _sync(beside)
        if path.is_dir():  # damage: a file cannot replace a folder
            _put_aside(path)
        beside.replace(path)
    except OSError:
        with suppress(OSError):  # the first error is the one to report
            beside.unlink(missing_ok=True)
        raise
    if sync:
        _sync(path.parent)


def _put_aside(folder: Path) -> None:
    """Remove a folder if it is empty, else rename it: its content is not ours to delete."""
    try:
        folder.rmdir()
    except OSError:
        folder.rename(folder.with_name(f"{folder.name}-{secrets.token_hex(4)}"))


def _sync(path: Path) -> None:
    if os.name == "nt" and path.is_dir():  # Windows cannot sync folders
        return
    # Windows syncs only files that are open for writing.
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

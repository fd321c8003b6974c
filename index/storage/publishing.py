"""Writing so that a reader sees all or nothing: one writer at a time, folders switched in by renaming.

What a rename publishes is on the disk before it: files and folders are synced first, so a power cut leaves
the old state or the new one.
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
    """Be the only writer of a folder; the lock goes with its process, however that ends.

    Raises:
        IndexBusyError: another process still holds it after `timeout` seconds; the message names it.
        TorchnotesError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / _LOCK_FILE)
        lock.acquire(timeout=timeout)
    except Timeout as error:  # an OSError too
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
        with suppress(OSError):  # a full disk shows when the index itself is written
            replace_file(folder / _HOLDER_FILE, json.dumps(holder).encode(), sync=False)
        yield
    finally:
        with suppress(OSError):  # it is overwritten by the next writer
            (folder / _HOLDER_FILE).unlink()
        lock.release()


def _holder(folder: Path) -> str:
    try:
        holder = json.loads((folder / _HOLDER_FILE).read_bytes())
        return f"process {holder['pid']} on {holder['host']} (since {holder['since']})"
    except (OSError, ValueError, KeyError):  # it has only just begun, or is about to end
        return "another process"


def cannot_write(folder: Path, error: Exception) -> TorchnotesError:
    """Return the error to raise when the index cannot be written."""
    return unwritable(f"index {folder}", folder, error)


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """A new folder in `parent`, for the caller to rename; what is left of it at the end is removed."""
    parent.mkdir(parents=True, exist_ok=True)
    # Not tempfile.mkdtemp: it would shut out other users, who may well read the index.
    folder = parent / f"{TEMPORARY_PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def publish(folder: Path, target: Path) -> None:
    """Sync a folder to the disk, then give it its name."""
    for path in sorted(folder.rglob("*"), reverse=True):  # what is in a folder before the folder
        _sync(path)
    _sync(folder)
    folder.rename(target)
    _sync(target.parent)


def remove_folder(folder: Path) -> None:
    """Remove a folder; a reader finds it whole or not at all. What cannot go now waits for a later writer."""
    if not folder.name.startswith(TEMPORARY_PREFIX):
        aside = folder.with_name(f"{TEMPORARY_PREFIX}{folder.name}")
        try:
            folder.rename(aside)
        except OSError:  # on Windows a file that a reader has open cannot be moved
            return
        folder = aside
    shutil.rmtree(folder, ignore_errors=True)


def replace_file(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Write a small file so that readers find the old content or the new."""
    beside = path.with_name(f"{TEMPORARY_PREFIX}{path.name}")
    try:
        beside.write_bytes(content)
        if sync:
            _sync(beside)
        if path.is_dir():  # damage: no file can take the place of a folder
            _put_aside(path)
        beside.replace(path)
    except OSError:
        with suppress(OSError):  # what was to be told is the first error
            beside.unlink(missing_ok=True)
        raise
    if sync:
        _sync(path.parent)


def _put_aside(folder: Path) -> None:
    """Remove an empty folder; one that holds anything is not ours to remove, and gets another name."""
    try:
        folder.rmdir()
    except OSError:
        folder.rename(folder.with_name(f"{folder.name}-{secrets.token_hex(4)}"))


def _sync(path: Path) -> None:
    if os.name == "nt" and path.is_dir():  # Windows syncs no folders
        return
    # Windows flushes only what is open for writing.
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""What workers have read, kept on disk until the index is written: a command that was cut off goes on there.

A file a source, named after a digest of recipe, source and bytes. Vectors are kept apart, by their text
(`index/embedding/vector_cache.py`), and stay.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ingest.errors import TorchnotesError
from ingest.unwritable import unwritable

_LOCK = "bulk.lock"
_SUM = 32  # bytes of SHA-256
_LEVEL = 1  # of zlib: four times smaller, and faster than it is sent


class KeptReadings:
    """Results of `jobs.read_source` on disk; one process at a time works with them.

    Args:
        home: the data folder.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self.folder = home / "bulk"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes from bulk work with the same data folder.

        Raises:
            TorchnotesError: one is at it, or the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._home / _LOCK)
            lock.acquire(timeout=0)
        except Timeout as error:
            raise TorchnotesError(
                f"another `torchnotes add --dask` works with {self._home}; try again when it is done, or set "
                "TORCHNOTES_HOME to another folder"
            ) from error
        except OSError as error:
            raise self._refused(error) from error
        try:
            yield
        finally:
            lock.release()

    def get(self, key: str) -> bytes | None:
        """Return a kept result, None without one, or if it is damaged.

        Args:
            key: of `reading_key`.
        """
        try:
            content = (self.folder / key).read_bytes()
            message = zlib.decompress(content[_SUM:])
        except (OSError, zlib.error):
            return None
        return message if hashlib.sha256(message).digest() == content[:_SUM] else None

    def put(self, key: str, message: bytes) -> None:
        """Keep a result; it is there whole or not at all.

        Args:
            key: of `reading_key`.
            message: the result.

        Raises:
            TorchnotesError: it cannot be written.
        """
        beside = self.folder / f"tmp-{key}"
        try:
            beside.write_bytes(hashlib.sha256(message).digest() + zlib.compress(message, _LEVEL))
            os.replace(beside, self.folder / key)
        except OSError as error:
            with suppress(OSError):
                beside.unlink()
            raise self._refused(error) from error

    def clear(self) -> None:
        """Delete all results: those of this command are in the index, others are of commands given up."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _refused(self, error: OSError) -> TorchnotesError:
        return unwritable(f"what workers have read, {self.folder},", self.folder, error)


def reading_key(recipe: bytes, source: bytes) -> str:
    """Return the name under which a result is kept: it identifies all that the result depends on.

    Args:
        recipe: `Recipe.encode`.
        source: `messages.encode_source`.
    """
    return hashlib.sha256(hashlib.sha256(recipe).digest() + source).hexdigest()

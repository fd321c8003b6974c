"""Vectors by key in one SQLite file, which threads and processes may share.

Each use opens the file anew and each write is one transaction, so that a killed process loses at most what it
had not yet committed. The file is a cache: one that is damaged is set aside, and its texts are embedded anew.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from index.embedding.base import Vectors

_log = logging.getLogger(__name__)

FILE = "vectors.sqlite3"
_TIMEOUT = 10.0  # seconds to wait for another process that writes
_ASKED = 500  # keys of a statement; older releases of SQLite take 999 values
_PROBE = bytes(64 * 1024)
_BESIDE = ("-wal", "-shm", "-journal")
_FOREIGN = ("column", "unsupported file format")  # in what SQLite says of a file that is not this table


class VectorTable:
    """A table of vectors on disk.

    Args:
        folder: where the file is; both are made by the first `put`.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        """Look vectors up.

        Args:
            keys: of `vector_key`.

        Returns:
            The vectors that are held under those keys and are as they were written. A file that is damaged is
            set aside, one that cannot be read is logged; both count as empty.
        """
        if not os.path.exists(self.path):  # Path.exists raises for names that are too long
            return {}
        try:
            return self._read(keys)
        except sqlite3.DatabaseError as error:
            if self._is_damage(error):
                self._set_aside(error)
                return {}
            reason = str(error)
        if "no such table" in reason:  # the process that made the file was killed before it wrote
            return {}
        # Where nothing can be written the log cannot be opened. A row is as good without: it has a checksum.
        with suppress(sqlite3.DatabaseError):
            return self._read(keys, immutable=True)
        _log.warning("%s cannot be read (%s); its texts are embedded anew", self.path, reason)
        return {}

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Keep vectors in one transaction; they are on disk when this returns.

        Segment files of earlier versions, which nothing reads any more, are deleted.

        Args:
            keys: of `vector_key`; what is held under one of them is replaced.
            vectors: shape (len(keys), dimension).

        Raises:
            OSError: the file cannot be written; what it holds is as it was.
        """
        try:
            self._write(keys, vectors)
        except sqlite3.DatabaseError as error:
            if not self._is_damage(error):
                raise self._refused(error) from error
            self._set_aside(error)
            try:
                self._write(keys, vectors)
            except sqlite3.DatabaseError as again:
                raise self._refused(again) from again
        for segment in self.path.parent.glob("*.npy*"):
            with suppress(OSError):
                segment.unlink()

    def _read(self, keys: Sequence[bytes], *, immutable: bool = False) -> dict[bytes, Vectors]:
        """Read the rows of keys and check them; `immutable` leaves locks and the log alone."""
        found: dict[bytes, Vectors] = {}
        damaged = 0
        with closing(self._connect("?immutable=1" if immutable else "")) as connection:
            connection.text_factory = bytes  # damage may turn a blob into a text
            for start in range(0, len(keys), _ASKED):
                asked = keys[start : start + _ASKED]
                marks = ",".join("?" * len(asked))
                statement = f"SELECT key, checksum, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                for key, checksum, vector in connection.execute(statement, asked):
                    whole = isinstance(key, bytes) and isinstance(vector, bytes)
                    if whole and checksum == _checksum(key, vector):
                        found[key] = np.frombuffer(vector, "<f4")
                    else:
                        damaged += 1
        if damaged:
            _log.warning("%s: %d vectors are damaged and are passed over", self.path, damaged)
        return found

    def _write(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Write rows in one transaction, and make the folder, the file and the table where they lack."""
        contents = [vector.tobytes() for vector in np.asarray(vectors, dtype="<f4")]
        rows = [(key, _checksum(key, vector), vector) for key, vector in zip(keys, contents, strict=True)]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors"
                " (key BLOB PRIMARY KEY, checksum INTEGER NOT NULL, vector BLOB NOT NULL)"
            )
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")
            # Two processes that turn the log on at once refuse each other: the next write does it.
            with suppress(sqlite3.OperationalError):
                connection.execute("PRAGMA journal_mode = WAL")

    def _connect(self, options: str = "") -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}{options}"
        return sqlite3.connect(address, uri=True, timeout=_TIMEOUT, isolation_level=None)

    def _is_damage(self, error: sqlite3.DatabaseError) -> bool:
        """Whether an error tells of the file itself, not of locks, rights, or the disk."""
        foreign = not isinstance(error, sqlite3.OperationalError) or any(s in str(error) for s in _FOREIGN)
        return foreign or self.path.is_dir()

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        """Move the file out of the way, and say so."""
        aside = self.path.with_name(f"{FILE}.damaged")
        try:
            os.replace(self.path, aside)
            for end in _BESIDE:  # a new file must not be taken for the one that they belong to
                self.path.with_name(f"{FILE}{end}").unlink(missing_ok=True)
        except OSError as refused:
            _log.warning(
                "%s is damaged (%s) and cannot be moved (%s); remove it, or its texts are embedded each time",
                *(self.path, error, refused.strerror),
            )
        else:
            _log.warning("%s is damaged (%s) and set aside; its texts are embedded anew", self.path, error)

    def _refused(self, error: sqlite3.DatabaseError) -> OSError:
        """The system's reason for which a write failed: SQLite tells it of a full disk alone."""
        if "full" in str(error):
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        try:
            with TemporaryFile(dir=self.path.parent) as file:
                file.write(_PROBE)
                file.flush()
        except OSError as reason:
            return reason
        return OSError(errno.EIO, str(error))


def _checksum(key: bytes, vector: bytes) -> int:
    """CRC-32 of a row."""
    return zlib.crc32(vector, zlib.crc32(key))

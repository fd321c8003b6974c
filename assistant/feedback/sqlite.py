"""A file of SQLite in the data folder: made, brought up to date, and written by several at once.

Connections are short, writers wait for each other, and readers for none (write-ahead log).
`PRAGMA user_version` counts the migrations that made the file what it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from filelock import FileLock, Timeout

from ingest.errors import TorchnotesError

Migration: TypeAlias = Callable[[sqlite3.Connection], None]

TIMEOUT = 10.0  # seconds


@dataclass(frozen=True, slots=True)
class Database:
    """A file, opened anew for each use; it and its folder are made by the first one.

    Attributes:
        path: of the file.
        holds: what stands in it, as errors name it.
        application: tells our file from any other of SQLite's (`PRAGMA application_id`).
        migrations: what makes a file what this version reads, in order; one that is out is never changed.
        timeout: seconds to wait for another process that writes.

    Every method raises a TorchnotesError of one line where the file is damaged, not ours, of a newer
    torchnotes, or cannot be written; the file is left as it is.
    """

    path: Path
    holds: str
    application: int
    migrations: Sequence[Migration]
    timeout: float = TIMEOUT

    def exists(self) -> bool:
        """Whether the file is there."""
        try:
            return self.path.exists()
        except OSError as error:
            raise self.refused(error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is on disk at the end, or nothing."""
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection, the file made or brought up to date where it must be."""
        try:
            if not self.path.exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, timeout=self.timeout, isolation_level=None)
            with closing(database) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA secure_delete = ON")  # what a user deletes is gone
                journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
                if self._version(connection) < len(self.migrations) or journal != "wal":
                    self._migrate(connection)
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise self.refused(error) from error

    def refused(self, error: Exception) -> TorchnotesError:
        """Why the file cannot be used, and what to do."""
        reason = str(error).partition("\n")[0]
        if isinstance(error, Timeout) or "locked" in reason:
            return TorchnotesError(
                f"{self.path}: another process is writing it; waited {self.timeout:g} s, try again"
            )
        usable = isinstance(error, sqlite3.OperationalError) and not reason.startswith(
            ("no such", "Could not")
        )
        if usable or isinstance(error, OSError):
            reason = (isinstance(error, OSError) and error.strerror) or reason
            return TorchnotesError(
                f"{self.path}: it cannot be opened or written ({reason}); make room and make its folder "
                "writable, or set TORCHNOTES_HOME to another folder"
            )
        return TorchnotesError(
            f"{self.path}: it is damaged, or no file of {self.holds} ({reason}); move it away, with those "
            "ending in -wal and -shm beside it, and a new one is made"
        )

    def _version(self, connection: sqlite3.Connection) -> int:
        """How many migrations the file has had."""
        connection.execute("BEGIN")  # all three as of one moment: another process may be making the file
        application = _pragma(connection, "PRAGMA application_id")
        version = _pragma(connection, "PRAGMA user_version")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        connection.execute("COMMIT")
        if application != self.application and (application or version or tables):
            raise TorchnotesError(
                f"{self.path}: a database of another program stands there; move it away, and a new file is "
                "made, or set TORCHNOTES_HOME to another folder"
            )
        if version > len(self.migrations):
            raise TorchnotesError(
                f"{self.path}: {self.holds} of format {version}, this version reads formats up to "
                f"{len(self.migrations)}; update torchnotes, or move the file away"
            )
        return version

    def _migrate(self, connection: sqlite3.Connection) -> None:
        """Make or change the file, one process at a time: two that switch to the log at once both fail."""
        with FileLock(f"{self.path}.lock", timeout=self.timeout):
            connection.execute("PRAGMA journal_mode = WAL")
            for number in range(self._version(connection), len(self.migrations)):
                connection.execute("BEGIN IMMEDIATE")
                self.migrations[number](connection)
                connection.execute(f"PRAGMA application_id = {self.application:d}")
                connection.execute(f"PRAGMA user_version = {number + 1:d}")
                connection.execute("COMMIT")


def _pragma(connection: sqlite3.Connection, statement: str) -> int:
    return int(connection.execute(statement).fetchone()[0])

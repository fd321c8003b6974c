"""SQLite files in the data folder that are created, migrated and written by several processes.

Connections are short. Writers wait for each other, and readers do not wait (write-ahead log).
`PRAGMA user_version` counts the migrations applied to a file.
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
    """A database file, opened anew for each use. It and its folder are created on first use.

    Attributes:
        path: path of the file.
        holds: what it contains, for error messages.
        application: `PRAGMA application_id` of our files, which identifies those of other programs.
        migrations: migrations in order. A released one is never changed.
        timeout: seconds to wait for another process that is writing.

    Every method raises a one-line TorchnotesError if the file is damaged, belongs to another program, was
    written by a newer torchnotes, or cannot be written. The file is left unchanged then.
    """

    path: Path
    holds: str
    application: int
    migrations: Sequence[Migration]
    timeout: float = TIMEOUT

    def exists(self) -> bool:
        """Check whether the file exists."""
        try:
            return self.path.exists()
        except OSError as error:
            raise self.refused(error) from error

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a connection with a transaction, which is on disk as a whole after the `with` block.

        An exception in the block rolls it back.
        """
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Open a connection, after creating or migrating the file if necessary."""
        try:
            if not self.path.exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, timeout=self.timeout, isolation_level=None)
            with closing(database) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA secure_delete = ON")  # overwrite what a user deletes
                journal = connection.execute("PRAGMA journal_mode").fetchone()[0]
                if self._version(connection) < len(self.migrations) or journal != "wal":
                    self._migrate(connection)
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise self.refused(error) from error

    def refused(self, error: Exception) -> TorchnotesError:
        """Convert an exception to an error that says why the file cannot be used and what to do.

        Args:
            error: exception of SQLite, the file system or the lock, or raised while decoding rows.
        """
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
        """Return the number of migrations applied to the file."""
        connection.execute("BEGIN")  # a consistent snapshot: another process may be creating the file
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
        """Create or migrate the file under a lock, as concurrent switches to the write-ahead log fail."""
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

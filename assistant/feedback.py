"""The store of feedback: one SQLite file in the data folder, which is the user's own.

Several processes and threads may write at once: connections are short, writers wait for each other, and
readers for none (write-ahead log). `PRAGMA user_version` counts the migrations that made the file what it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from assistant.feedback_record import MAX_COMMENT, REASONS, Feedback, Reason, record, versions_of
from assistant.feedback_table import ADD, MIGRATIONS, feedback_of, row_of
from ingest.errors import TorchnotesError

__all__ = [
    "FILE",
    "MAX_COMMENT",
    "REASONS",
    "Feedback",
    "FeedbackStore",
    "Reason",
    "record",
    "versions_of",
]

FILE = "feedback.sqlite3"  # in the data folder
TIMEOUT = 10.0  # seconds
_APPLICATION = 0x746E6662  # "tnfb": tells our file from any other of SQLite's


class FeedbackStore:
    """Feedback on disk.

    Args:
        path: the file; it and its folder are made by the first `add`.
        timeout: seconds to wait for another process that writes.

    Every method raises a TorchnotesError of one line where the file is damaged, not ours, of a newer
    torchnotes, or cannot be written; the file is left as it is.
    """

    def __init__(self, path: Path, *, timeout: float = TIMEOUT) -> None:
        self.path = path
        self._timeout = timeout

    def add(self, feedback: Feedback) -> int:
        """Keep a rating, in the place of an earlier one of the same answer; it is on disk when this returns.

        Returns:
            Its number in the store.
        """
        with self._writing() as connection:
            connection.execute(ADD, row_of(feedback))
            row = connection.execute(
                "SELECT id FROM feedback WHERE answer_id = ?", (feedback.answer_id,)
            ).fetchone()
        return int(row[0])

    def all(self) -> tuple[Feedback, ...]:
        """Every rating, newest first."""
        if not self._there():
            return ()
        with self._connected() as connection:
            connection.row_factory = sqlite3.Row
            rows = connection.execute("SELECT * FROM feedback ORDER BY rated_at DESC, id DESC").fetchall()
        try:
            return tuple(map(feedback_of, rows))
        except (ValueError, LookupError, TypeError) as error:
            raise self._refused(error) from error

    def __iter__(self) -> Iterator[Feedback]:
        return iter(self.all())

    def remove(self, answer_id: str) -> bool:
        """Delete the rating of an answer; False where there is none."""
        return self._delete("DELETE FROM feedback WHERE answer_id = ?", answer_id) > 0

    def delete(self, number: int) -> bool:
        """Delete a rating by its number in the store; False where there is none."""
        return self._delete("DELETE FROM feedback WHERE id = ?", number) > 0

    def clear(self) -> int:
        """Delete every rating; returns how many there were."""
        return self._delete("DELETE FROM feedback")

    def _delete(self, statement: str, *values: str | int) -> int:
        if not self._there():
            return 0
        with self._writing() as connection:
            return connection.execute(statement, values).rowcount

    def _there(self) -> bool:
        try:
            return self.path.exists()
        except OSError as error:
            raise self._refused(error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is on disk at the end, or nothing."""
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """The file, made or brought up to date where it must be."""
        try:
            if not self.path.exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(self.path, timeout=self._timeout, isolation_level=None)
            with closing(database) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA secure_delete = ON")  # what a user deletes is gone
                if self._version(connection) < len(MIGRATIONS):
                    self._migrate(connection)
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise self._refused(error) from error

    def _version(self, connection: sqlite3.Connection) -> int:
        """How many migrations the file has had."""
        connection.execute("BEGIN")  # all three as of one moment: another process may be making the file
        application = _pragma(connection, "PRAGMA application_id")
        version = _pragma(connection, "PRAGMA user_version")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        connection.execute("COMMIT")
        if application != _APPLICATION and (application or version or tables):
            raise TorchnotesError(
                f"{self.path}: a database of another program stands there; move it away, and a new file is "
                "made, or set TORCHNOTES_HOME to another folder"
            )
        if version > len(MIGRATIONS):
            raise TorchnotesError(
                f"{self.path}: feedback of format {version}, this version reads formats up to "
                f"{len(MIGRATIONS)}; update torchnotes, or move the file away"
            )
        return version

    def _migrate(self, connection: sqlite3.Connection) -> None:
        """Make or change the file, one process at a time: two that switch to the log at once both fail."""
        with FileLock(f"{self.path}.lock", timeout=self._timeout):
            connection.execute("PRAGMA journal_mode = WAL")
            for number in range(self._version(connection), len(MIGRATIONS)):
                connection.execute("BEGIN IMMEDIATE")
                MIGRATIONS[number](connection)
                connection.execute(f"PRAGMA application_id = {_APPLICATION:d}")
                connection.execute(f"PRAGMA user_version = {number + 1:d}")
                connection.execute("COMMIT")

    def _refused(self, error: Exception) -> TorchnotesError:
        reason = str(error).partition("\n")[0]
        if isinstance(error, Timeout) or "locked" in reason:
            return TorchnotesError(
                f"{self.path}: another process is writing it; waited {self._timeout:g} s, try again"
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
            f"{self.path}: it is damaged, or no file of feedback ({reason}); move it away, with those ending "
            "in -wal and -shm beside it, and a new one is made"
        )


def _pragma(connection: sqlite3.Connection, statement: str) -> int:
    return int(connection.execute(statement).fetchone()[0])

"""Feedback store: one SQLite file in the user's data folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from assistant.feedback.record import MAX_COMMENT, REASONS, Feedback, Reason, record
from assistant.feedback.schema import ADD, MIGRATIONS, feedback_of, row_of
from assistant.feedback.sqlite import TIMEOUT, Database
from ingest.errors import TorchnotesError

__all__ = [
    "FILE",
    "MAX_COMMENT",
    "REASONS",
    "Feedback",
    "FeedbackStore",
    "Reason",
    "record",
]

FILE = "feedback.sqlite3"  # in the data folder
_APPLICATION = 0x746E6662  # "tnfb", the application_id of our files
#: Bytes of all ratings: several thousand. Whoever reaches the page may rate, and must not fill the disk.
MOST_BYTES = 200_000_000


class FeedbackStore:
    """Stores feedback on disk.

    Args:
        path: database file. It and its folder are created by the first `add`.
        timeout: seconds to wait for another process that is writing.

    Every method raises a one-line TorchnotesError if the file is damaged, belongs to another program, was
    written by a newer torchnotes, or cannot be written. The file is left unchanged then.
    """

    def __init__(self, path: Path, *, timeout: float = TIMEOUT) -> None:
        self.path = path
        self._database = Database(path, "feedback", _APPLICATION, MIGRATIONS, timeout)

    def add(self, feedback: Feedback) -> int:
        """Store a rating, replacing any earlier one of the same answer. It is on disk when this returns.

        Args:
            feedback: rating to store.

        Returns:
            Its id in the store.

        Raises:
            TorchnotesError: there is no room left.
        """
        with self._database.writing() as connection:
            if _held(connection) > MOST_BYTES:
                raise TorchnotesError(
                    f"no more ratings are kept: they take {MOST_BYTES // 1_000_000} MB; the operator makes "
                    "room with `torchnotes feedback export` and `torchnotes feedback clear`"
                )
            connection.execute(ADD, row_of(feedback))
            row = connection.execute(
                "SELECT id FROM feedback WHERE answer_id = ?", (feedback.answer_id,)
            ).fetchone()
        return int(row[0])

    def all(self) -> tuple[Feedback, ...]:
        """Return all ratings, newest first."""
        if not self._database.exists():
            return ()
        with self._database.reading() as connection:
            connection.row_factory = sqlite3.Row
            rows = connection.execute("SELECT * FROM feedback ORDER BY rated_at DESC, id DESC").fetchall()
        try:
            return tuple(map(feedback_of, rows))
        except (ValueError, LookupError, TypeError) as error:
            raise self._database.refused(error) from error

    def __iter__(self) -> Iterator[Feedback]:
        return iter(self.all())

    def remove(self, answer_id: str) -> bool:
        """Delete the rating of an answer.

        Args:
            answer_id: id of the answer.

        Returns:
            Whether there was one.
        """
        return self._delete("DELETE FROM feedback WHERE answer_id = ?", answer_id) > 0

    def delete(self, number: int) -> bool:
        """Delete a rating.

        Args:
            number: id of the rating in the store.

        Returns:
            Whether there was one.
        """
        return self._delete("DELETE FROM feedback WHERE id = ?", number) > 0

    def clear(self) -> int:
        """Delete all ratings.

        Returns:
            Number of ratings deleted.
        """
        return self._delete("DELETE FROM feedback")

    def _delete(self, statement: str, *values: str | int) -> int:
        if not self._database.exists():
            return 0
        with self._database.writing() as connection:
            return connection.execute(statement, values).rowcount


def _held(connection: sqlite3.Connection) -> int:
    """Return the bytes of a database without those that deleted rows left."""
    size, pages, free = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_size", "page_count", "freelist_count")
    )
    return size * (pages - free)

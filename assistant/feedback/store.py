"""The store of feedback: one SQLite file in the data folder, which is the user's own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from assistant.feedback.record import MAX_COMMENT, REASONS, Feedback, Reason, record, versions_of
from assistant.feedback.schema import ADD, MIGRATIONS, feedback_of, row_of
from assistant.feedback.sqlite import TIMEOUT, Database

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
        self._database = Database(path, "feedback", _APPLICATION, MIGRATIONS, timeout)

    def add(self, feedback: Feedback) -> int:
        """Keep a rating, in the place of an earlier one of the same answer; it is on disk when this returns.

        Returns:
            Its number in the store.
        """
        with self._database.writing() as connection:
            connection.execute(ADD, row_of(feedback))
            row = connection.execute(
                "SELECT id FROM feedback WHERE answer_id = ?", (feedback.answer_id,)
            ).fetchone()
        return int(row[0])

    def all(self) -> tuple[Feedback, ...]:
        """Every rating, newest first."""
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
        """Delete the rating of an answer; False where there is none."""
        return self._delete("DELETE FROM feedback WHERE answer_id = ?", answer_id) > 0

    def delete(self, number: int) -> bool:
        """Delete a rating by its number in the store; False where there is none."""
        return self._delete("DELETE FROM feedback WHERE id = ?", number) > 0

    def clear(self) -> int:
        """Delete every rating; returns how many there were."""
        return self._delete("DELETE FROM feedback")

    def _delete(self, statement: str, *values: str | int) -> int:
        if not self._database.exists():
            return 0
        with self._database.writing() as connection:
            return connection.execute(statement, values).rowcount

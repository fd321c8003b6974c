"""Persistent state of the bot: handled events, its threads, and data for its buttons.

One SQLite file in the data folder, which several processes may share. An event is claimed by an atomic
insert, so that it is handled once, however often it is sent. Questions and answers themselves stay in Slack.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.feedback.sqlite import Database

FILE = "slack.sqlite3"  # in the data folder
_APPLICATION = 0x746E736C  # "tnsl", SQLite's application id of the file
_DAY = 24 * 3600.0
#: Seconds to keep each kind of data; Slack resends events within an hour.
_KEPT = {"claims": 7 * _DAY, "threads": 365 * _DAY, "answers": 90 * _DAY}
_TIDIED = 1_000  # claims between two deletions of old data


class State:
    """The persistent state. All methods raise `TorchnotesError` if the file cannot be used.

    Args:
        path: path of the file; it and its folder are created when needed.
        now: returns the current time in seconds since 1970.

    Attributes:
        path: as given.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._database = Database(path, "the bot's state", _APPLICATION, (_m001_initial,))
        self._now = now
        self._claims = itertools.count(1)

    def claim(self, *keys: str) -> bool:
        """Claim an event.

        Args:
            *keys: all keys of the event.

        Returns:
            False if one of the keys was claimed before, by any process.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        if next(self._claims) % _TIDIED == 0:
            self.tidy()
        with self._database.writing() as connection:
            at = self._now()
            taken = [
                connection.execute("INSERT OR IGNORE INTO claims VALUES (?, ?)", (key, at)).rowcount == 0
                for key in keys
            ]
        return not any(taken)

    def join(self, thread: str) -> None:
        """Store that the bot takes part in a thread.

        Args:
            thread: key of the thread.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO threads VALUES (?, ?)", (thread, self._now()))

    def joined(self, thread: str) -> bool:
        """Return whether the bot takes part in a thread.

        Args:
            thread: key of the thread.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        with self._database.reading() as connection:
            found = connection.execute("SELECT 1 FROM threads WHERE key = ?", (thread,)).fetchone()
        return found is not None

    def keep(self, answer: str, kept: dict[str, Any]) -> None:
        """Store the data for an answer's buttons.

        Args:
            answer: id of the answer.
            kept: JSON-serialisable data.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        with self._database.writing() as connection:
            text = json.dumps(kept, ensure_ascii=False)
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (answer, self._now(), text))

    def kept(self, answer: str) -> dict[str, Any] | None:
        """Return the data for an answer's buttons, None if it is unknown or too old.

        Args:
            answer: id of the answer.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        with self._database.reading() as connection:
            row = connection.execute("SELECT kept FROM answers WHERE key = ?", (answer,)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def tidy(self) -> None:
        """Delete old data.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        with self._database.writing() as connection:
            now = self._now()
            connection.execute("DELETE FROM claims WHERE at < ?", (now - _KEPT["claims"],))
            connection.execute("DELETE FROM threads WHERE at < ?", (now - _KEPT["threads"],))
            connection.execute("DELETE FROM answers WHERE at < ?", (now - _KEPT["answers"],))


def _m001_initial(connection: sqlite3.Connection) -> None:
    """Create the tables; times are seconds since 1970."""
    connection.execute("CREATE TABLE claims (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID")
    connection.execute("CREATE TABLE threads (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID")
    connection.execute("CREATE TABLE answers (key TEXT PRIMARY KEY, at REAL NOT NULL, kept TEXT NOT NULL)")

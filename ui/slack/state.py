"""What the bot keeps: which events are taken, which threads are its own, and what its buttons need.

One SQLite file in the data folder, which several processes may share: a claim is one atomic insert, so that
an event is answered once however often and wherever it comes. Questions and answers themselves stay in Slack.
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
_APPLICATION = 0x746E736C  # "tnsl": tells our file from any other of SQLite's
_DAY = 24 * 3600.0
#: Seconds to keep each kind; Slack sends an event again within an hour.
_KEPT = {"claims": 7 * _DAY, "threads": 365 * _DAY, "answers": 90 * _DAY}
_TIDIED = 1_000  # claims after which what is old is looked for


class State:
    """The file.

    Args:
        path: of the file; it and its folder are made when they are first needed.
        now: seconds since the epoch.

    Every method raises a TorchnotesError of one line where the file cannot be used.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._database = Database(path, "the bot's state", _APPLICATION, (_m001_initial,))
        self._now = now
        self._claims = itertools.count(1)

    def claim(self, *keys: str) -> bool:
        """Take an event by all of its names; False where one of them is taken already, here or elsewhere."""
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
        """Remember a thread that the bot takes part in."""
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO threads VALUES (?, ?)", (thread, self._now()))

    def joined(self, thread: str) -> bool:
        """Whether the bot is known to take part in a thread."""
        with self._database.reading() as connection:
            found = connection.execute("SELECT 1 FROM threads WHERE key = ?", (thread,)).fetchone()
        return found is not None

    def keep(self, answer: str, kept: dict[str, Any]) -> None:
        """Keep what the buttons of an answer need, JSON-ready."""
        with self._database.writing() as connection:
            text = json.dumps(kept, ensure_ascii=False)
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (answer, self._now(), text))

    def kept(self, answer: str) -> dict[str, Any] | None:
        """What was kept of an answer, None where it is too old or unknown."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT kept FROM answers WHERE key = ?", (answer,)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def tidy(self) -> None:
        """Delete what is too old to be asked for."""
        with self._database.writing() as connection:
            now = self._now()
            connection.execute("DELETE FROM claims WHERE at < ?", (now - _KEPT["claims"],))
            connection.execute("DELETE FROM threads WHERE at < ?", (now - _KEPT["threads"],))
            connection.execute("DELETE FROM answers WHERE at < ?", (now - _KEPT["answers"],))


def _m001_initial(connection: sqlite3.Connection) -> None:
    """The tables; times are seconds since the epoch."""
    connection.execute("CREATE TABLE claims (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID")
    connection.execute("CREATE TABLE threads (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID")
    connection.execute("CREATE TABLE answers (key TEXT PRIMARY KEY, at REAL NOT NULL, kept TEXT NOT NULL)")

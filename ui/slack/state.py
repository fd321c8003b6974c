"""What the bot keeps: which events are taken, which threads are its own, and what its buttons need.

One SQLite file in the data folder, which several processes may share: a claim is one atomic insert, so that
an event is answered once however often and wherever it comes. Questions and answers themselves stay in Slack.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ingest.errors import TorchnotesError

FILE = "slack.sqlite3"  # in the data folder
_TIMEOUT = 10.0  # seconds
_APPLICATION = 0x746E736C  # "tnsl": tells our file from any other of SQLite's
_FORMAT = 1
_DAY = 24 * 3600.0
#: Seconds to keep each kind; Slack sends an event again within an hour.
_KEPT = {"claims": 7 * _DAY, "threads": 365 * _DAY, "answers": 90 * _DAY}
_TIDIED = 1_000  # claims after which what is old is looked for
_TABLES = (
    "CREATE TABLE claims (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID",
    "CREATE TABLE threads (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID",
    "CREATE TABLE answers (key TEXT PRIMARY KEY, at REAL NOT NULL, kept TEXT NOT NULL)",
)


class State:
    """The file.

    Args:
        path: of the file; it and its folder are made when they are first needed.
        now: seconds since the epoch.

    Every method raises a TorchnotesError of one line where the file cannot be used.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._now = now
        self._claims = itertools.count(1)

    def claim(self, *keys: str) -> bool:
        """Take an event by all of its names; False where one of them is taken already, here or elsewhere."""
        if next(self._claims) % _TIDIED == 0:
            self.tidy()
        with self._writing() as connection:
            at = self._now()
            taken = [
                connection.execute("INSERT OR IGNORE INTO claims VALUES (?, ?)", (key, at)).rowcount == 0
                for key in keys
            ]
        return not any(taken)

    def join(self, thread: str) -> None:
        """Remember a thread that the bot takes part in."""
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO threads VALUES (?, ?)", (thread, self._now()))

    def joined(self, thread: str) -> bool:
        """Whether the bot is known to take part in a thread."""
        with self._connected() as connection:
            found = connection.execute("SELECT 1 FROM threads WHERE key = ?", (thread,)).fetchone()
        return found is not None

    def keep(self, answer: str, kept: dict[str, Any]) -> None:
        """Keep what the buttons of an answer need, JSON-ready."""
        with self._writing() as connection:
            text = json.dumps(kept, ensure_ascii=False)
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (answer, self._now(), text))

    def kept(self, answer: str) -> dict[str, Any] | None:
        """What was kept of an answer, None where it is too old or unknown."""
        with self._connected() as connection:
            row = connection.execute("SELECT kept FROM answers WHERE key = ?", (answer,)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def tidy(self) -> None:
        """Delete what is too old to be asked for."""
        with self._writing() as connection:
            now = self._now()
            connection.execute("DELETE FROM claims WHERE at < ?", (now - _KEPT["claims"],))
            connection.execute("DELETE FROM threads WHERE at < ?", (now - _KEPT["threads"],))
            connection.execute("DELETE FROM answers WHERE at < ?", (now - _KEPT["answers"],))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            if not self.path.exists():
                self._make()
            database = sqlite3.connect(self.path, timeout=_TIMEOUT, isolation_level=None)
            with closing(database) as connection:
                self._check(connection)
                yield connection
        except (sqlite3.Error, OSError, Timeout) as error:
            reason = str(error).partition("\n")[0]
            raise TorchnotesError(
                f"{self.path}: the bot's state cannot be read or written ({reason}); make its folder "
                "writable, or move the file away and a new one is made"
            ) from error

    def _make(self) -> None:
        """Make the file, one process at a time."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{self.path}.lock", timeout=_TIMEOUT):
            if self.path.exists():
                return
            fresh = self.path.with_name(f"{self.path.name}.new")
            fresh.unlink(missing_ok=True)
            with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
                for statement in _TABLES:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {_APPLICATION:d}")
                connection.execute(f"PRAGMA user_version = {_FORMAT:d}")
            fresh.replace(self.path)

    def _check(self, connection: sqlite3.Connection) -> None:
        found = [
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        ]
        if found != [_APPLICATION, _FORMAT]:
            raise TorchnotesError(
                f"{self.path}: no state of this version of torchnotes; move it away, and a new one is made"
            )

"""Persistent state of the bot: handled events, unfinished jobs, its threads, and data for its buttons.

One SQLite file in the data folder, which several processes may share. An event is claimed by an atomic
insert, so that it is handled once, however often it is sent. Ids of people, channels and messages are stored
as keyed hashes; texts are deleted when their time is over.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import itertools
import json
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.feedback.sqlite import Database
from ui.slack.jobs import Job, JobQueue, create_jobs

FILE = "slack.sqlite3"  # in the data folder
KEEP_DAYS = 7.0
_APPLICATION = 0x746E736C  # "tnsl", SQLite's application id of the file
_DAY = 24 * 3600.0
_CLAIMS = 7 * _DAY  # seconds; Slack resends events within an hour
_THREADS = 365 * _DAY  # hashes only; after that, threads are read back from Slack
_TIDIED = 1_000  # claims between two deletions of old data


class State:
    """The persistent state. All methods raise `TorchnotesError` if the file cannot be used.

    Args:
        path: path of the file; it and its folder are created when needed, for this user only.
        now: returns the current time in seconds since 1970.
        keep_days: days for which the texts of an answer are kept for its buttons.

    Attributes:
        path: as given.
        jobs: unfinished jobs.
    """

    def __init__(
        self, path: Path, now: Callable[[], float] = time.time, keep_days: float = KEEP_DAYS
    ) -> None:
        self.path = path
        self._database = Database(path, "the bot's state", _APPLICATION, (_m001_initial, _m002_jobs))
        self.jobs = JobQueue(self._database)
        self._now = now
        self._kept_for = keep_days * _DAY
        self._claims = itertools.count(1)
        self._key = b""

    def hashed(self, text: str) -> str:
        """Return the keyed hash of an id: the same for the same id, and meaningless without this file.

        Args:
            text: id of a person, channel or message.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        if not self._key:
            with self._database.reading() as connection:
                row = connection.execute("SELECT value FROM secrets WHERE name = 'hash'").fetchone()
            with contextlib.suppress(OSError):  # not on every file system
                os.chmod(self.path, 0o600)
            self._key = bytes(row[0])
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()[:32]

    def claim(self, *keys: str, add: tuple[Job, str] | None = None, save: Job | None = None) -> bool:
        """Claim an event, and store its job in the same transaction.

        Args:
            *keys: all keys of the event.
            add: a new job, with the id of the worker that holds it; stored if the event is new.
            save: a job that is saved if the event is new.

        Returns:
            False if one of the keys was claimed before, by any process.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        if next(self._claims) % _TIDIED == 0:
            self.tidy()
        hashes = [self.hashed(key) for key in keys]
        with self._database.writing() as connection:
            inserted = [self._insert_claim(connection, key) for key in hashes]
            fresh = all(inserted)
            if fresh and add is not None:
                self.jobs.add(connection, *add)
            if fresh and save is not None:
                self.jobs.update(connection, save)
        return fresh

    def claimed(self, key: str) -> bool:
        """Return whether an event was claimed.

        Args:
            key: key of the event.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        hashed = self.hashed(key)
        with self._database.reading() as connection:
            found = connection.execute("SELECT 1 FROM claims WHERE key = ?", (hashed,)).fetchone()
        return found is not None

    def unclaim(self, key: str) -> None:
        """Give up a claim, because what it is for cannot be done now.

        Args:
            key: key of the claim.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        hashed = self.hashed(key)
        with self._database.writing() as connection:
            connection.execute("DELETE FROM claims WHERE key = ?", (hashed,))

    def join(self, thread: str, *, muted: bool = False) -> None:
        """Store that the bot takes part in a thread.

        Args:
            thread: key of the thread.
            muted: it was told to be silent there until it is mentioned.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        key = self.hashed(thread)
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO threads VALUES (?, ?, ?)", (key, self._now(), muted))

    def joined(self, thread: str) -> bool:
        """Return whether the bot takes part in a thread.

        Args:
            thread: key of the thread.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        return self._thread(thread) is not None

    def muted(self, thread: str) -> bool:
        """Return whether the bot was told to be silent in a thread.

        Args:
            thread: key of the thread.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        return bool(self._thread(thread))

    def keep(self, answer: str, kept: dict[str, Any], save: Job | None = None, claim: str = "") -> bool:
        """Store the data for an answer's buttons.

        Args:
            answer: id of the answer.
            kept: JSON-serialisable data.
            save: the answer's job, saved in the same transaction.
            claim: key that is claimed in the same transaction; "" for none.

        Returns:
            False if the key was claimed before; nothing is stored then.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        key = self.hashed(claim) if claim else ""
        with self._database.writing() as connection:
            if key and not self._insert_claim(connection, key):
                return False
            if self._kept_for:
                text = json.dumps(kept, ensure_ascii=False)
                connection.execute(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (answer, self._now(), text)
                )
            if save is not None:
                self.jobs.update(connection, save)
        return True

    def kept(self, answer: str) -> dict[str, Any] | None:
        """Return the data for an answer's buttons, None if it is unknown or too old.

        Args:
            answer: id of the answer.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT kept FROM answers WHERE key = ? AND at >= ?", (answer, self._now() - self._kept_for)
            ).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def forget(self, answer: str) -> None:
        """Delete the data for an answer's buttons.

        Args:
            answer: id of the answer.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        with self._database.writing() as connection:
            connection.execute("DELETE FROM answers WHERE key = ?", (answer,))

    def tidy(self) -> None:
        """Delete old data, also from the write-ahead log.

        Raises:
            TorchnotesError: the file cannot be used.
        """
        now = self._now()
        with self._database.writing() as connection:
            connection.execute("DELETE FROM claims WHERE at < ?", (now - _CLAIMS,))
            connection.execute("DELETE FROM threads WHERE at < ?", (now - _THREADS,))
            connection.execute("DELETE FROM answers WHERE at < ?", (now - self._kept_for,))
        with self._database.reading() as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _insert_claim(self, connection: sqlite3.Connection, key: str) -> bool:
        """Insert a hashed key within a transaction; False if it is there already."""
        given = (key, self._now())
        return connection.execute("INSERT OR IGNORE INTO claims VALUES (?, ?)", given).rowcount == 1

    def _thread(self, thread: str) -> int | None:
        key = self.hashed(thread)
        with self._database.reading() as connection:
            row = connection.execute("SELECT muted FROM threads WHERE key = ?", (key,)).fetchone()
        return None if row is None else int(row[0])


def _m001_initial(connection: sqlite3.Connection) -> None:
    """Create the tables; times are seconds since 1970."""
    connection.execute("CREATE TABLE claims (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID")
    connection.execute("CREATE TABLE threads (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID")
    connection.execute("CREATE TABLE answers (key TEXT PRIMARY KEY, at REAL NOT NULL, kept TEXT NOT NULL)")


def _m002_jobs(connection: sqlite3.Connection) -> None:
    """Add jobs and the key of hashes; ids that were stored as they are go, Slack still knows the threads."""
    create_jobs(connection)
    connection.execute("CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
    connection.execute("INSERT INTO secrets VALUES ('hash', ?)", (os.urandom(32),))
    connection.execute("DELETE FROM claims")
    connection.execute("DELETE FROM threads")
    connection.execute("ALTER TABLE threads ADD COLUMN muted INTEGER NOT NULL DEFAULT 0")

"""Jobs: one unit of work from the claim of an event to its last message, stored until it is done.

A job is inserted in the transaction that claims its event, so that neither exists without the other. Each
step saves what it achieved; a worker that takes a job over goes on from there.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from assistant.feedback.sqlite import Database

#: What is done next: acknowledge the question, answer it, post the answer; or nothing.
Stage = Literal["received", "waiting", "ready", "done"]


@dataclass
class Job:
    """A unit of work.

    Attributes:
        key: key of the event, under which the job is stored.
        lane: thread, or direct messages, whose questions are answered one after the other; "" for none.
        at: time of the event, which orders a lane.
        task: JSON-serialisable description of what is asked, and where the answer goes.
        mark: marks the job's messages, by which they are found in Slack.
        stage: next step.
        messages: the answer, as arguments for the Web API.
        sent: time stamps of the messages of `messages` that are posted.
        placeholder: time stamp of the placeholder, which the first message replaces; "" if there is none.
        unsure: Slack may have a message that is not in `sent`, because a reply was lost.
        attempts: how often it was begun to answer.
        failures: failed attempts in a row.
        failing_since: time of the first of these.
        due: time of the next attempt; 0: at once.
        late: it has failed for long, and holds up its lane no more.
    """

    key: str
    lane: str
    at: float
    task: dict[str, Any]
    mark: str
    stage: Stage = "received"
    messages: list[dict[str, Any]] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    placeholder: str = ""
    unsure: bool = False
    attempts: int = 0
    failures: int = 0
    failing_since: float = 0.0
    due: float = 0.0
    late: bool = False


@dataclass(frozen=True, slots=True)
class Backoff:
    """When a failed step is tried again; all in seconds.

    Attributes:
        first: pause after the first failure, doubled after each further one.
        longest: longest pause.
        patience: time of failing after which the job is late.
        late: pause between attempts of a late job.
        ends: time of failing after which a job is given up.
    """

    first: float = 1.0
    longest: float = 60.0
    patience: float = 600.0
    late: float = 600.0
    ends: float = 24 * 3600.0

    def failed(self, job: Job, now: float) -> bool:
        """Set when a job is tried again.

        Args:
            job: the job, one attempt of which failed.
            now: current time.

        Returns:
            False if it is given up.
        """
        job.failing_since = job.failing_since or now
        job.failures += 1
        failing = now - job.failing_since
        job.late = failing >= self.patience
        pause = min(self.longest, self.first * 2 ** min(job.failures - 1, 16))
        job.due = now + (self.late if job.late else pause)
        return failing < self.ends


class JobQueue:
    """The stored jobs. Each is held by one worker; those of a worker that has died are taken over.

    Args:
        database: the file of the bot's state.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @staticmethod
    def add(connection: sqlite3.Connection, job: Job, worker: str) -> None:
        """Insert a job within a transaction.

        Args:
            connection: connection with the transaction.
            job: the job.
            worker: id of the worker that holds it.
        """
        connection.execute(
            "INSERT INTO jobs (key, lane, at, worker, late, cancelled, body) VALUES (?, ?, ?, ?, 0, 0, ?)",
            (job.key, job.lane, job.at, worker, _dumped(job)),
        )

    @staticmethod
    def update(connection: sqlite3.Connection, job: Job) -> None:
        """Save a job within a transaction.

        Args:
            connection: connection with the transaction.
            job: the job.
        """
        connection.execute(
            "UPDATE jobs SET late = ?, body = ? WHERE key = ?", (job.late, _dumped(job), job.key)
        )

    def save(self, job: Job) -> None:
        """Save what a step achieved.

        Args:
            job: the job.
        """
        with self._database.writing() as connection:
            self.update(connection, job)

    def remove(self, keys: Iterable[str]) -> None:
        """Delete jobs that are done, with their texts.

        Args:
            keys: keys of the jobs.
        """
        with self._database.writing() as connection:
            connection.executemany("DELETE FROM jobs WHERE key = ?", [(key,) for key in keys])

    def follows(self, job: Job) -> bool:
        """Return whether an earlier job of the lane is not done.

        Args:
            job: the job.
        """
        if not job.lane:
            return False
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT 1 FROM jobs WHERE lane = ? AND at < ? AND late = 0 AND key <> ?",
                (job.lane, job.at, job.key),
            ).fetchone()
        return found is not None

    def cancel(self, lane: str) -> int:
        """Cancel the questions of a lane that are not answered.

        Args:
            lane: the lane.

        Returns:
            Number of jobs.
        """
        with self._database.writing() as connection:
            return connection.execute("UPDATE jobs SET cancelled = 1 WHERE lane = ?", (lane,)).rowcount

    def cancelled(self, job: Job) -> bool:
        """Return whether a job is cancelled.

        Args:
            job: the job.
        """
        with self._database.reading() as connection:
            row = connection.execute("SELECT cancelled FROM jobs WHERE key = ?", (job.key,)).fetchone()
        return bool(row and row[0])

    def workers(self) -> set[str]:
        """Return the ids of the workers that hold jobs; "" where nobody does."""
        with self._database.reading() as connection:
            return {row[0] for row in connection.execute("SELECT DISTINCT worker FROM jobs")}

    def take_over(self, worker: str, others: Collection[str]) -> list[Job]:
        """Take the jobs of workers that have ended.

        Args:
            worker: id of the worker that takes them.
            others: ids of the workers.
        """
        taken = []
        with self._database.writing() as connection:
            for other in others:
                rows = connection.execute("SELECT body FROM jobs WHERE worker = ?", (other,)).fetchall()
                connection.execute("UPDATE jobs SET worker = ? WHERE worker = ?", (worker, other))
                taken += [Job(**json.loads(row[0])) for row in rows]
        return taken

    def release(self, worker: str) -> None:
        """Let any other worker take the jobs of one.

        Args:
            worker: id of the worker.
        """
        with self._database.writing() as connection:
            connection.execute("UPDATE jobs SET worker = '' WHERE worker = ?", (worker,))


def create_jobs(connection: sqlite3.Connection) -> None:
    """Create the table.

    Args:
        connection: connection with a transaction.
    """
    connection.execute(
        "CREATE TABLE jobs (key TEXT PRIMARY KEY, lane TEXT NOT NULL, at REAL NOT NULL, worker TEXT NOT NULL,"
        " late INTEGER NOT NULL, cancelled INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID"
    )
    connection.execute("CREATE INDEX jobs_of_lane ON jobs (lane, at)")


def _dumped(job: Job) -> str:
    return json.dumps(asdict(job), ensure_ascii=False)

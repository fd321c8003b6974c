"""Schema of the feedback table: its migrations, and conversion between rows and `Feedback`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import datetime, timezone

from assistant.feedback.record import Feedback
from ingest.release import Release

ADD = """
INSERT INTO feedback (answer_id, rated_at, good, reason, comment, question, standalone, history, releases,
    language, text, abstained, citations, passages, model, versions)
VALUES (:answer_id, :rated_at, :good, :reason, :comment, :question, :standalone, :history, :releases,
    :language, :text, :abstained, :citations, :passages, :model, :versions)
ON CONFLICT (answer_id) DO UPDATE SET rated_at = excluded.rated_at, good = excluded.good,
    reason = excluded.reason, comment = excluded.comment, question = excluded.question,
    standalone = excluded.standalone, history = excluded.history, releases = excluded.releases,
    language = excluded.language, text = excluded.text, abstained = excluded.abstained,
    citations = excluded.citations, passages = excluded.passages, model = excluded.model,
    versions = excluded.versions
"""


def m001_initial(connection: sqlite3.Connection) -> None:
    """Create the table. Lists and objects are stored as JSON, times as ISO 8601 in UTC.

    Args:
        connection: connection with an open transaction.
    """
    connection.execute(
        """
        CREATE TABLE feedback (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            answer_id TEXT NOT NULL UNIQUE,
            rated_at TEXT NOT NULL,
            good INTEGER NOT NULL,
            reason TEXT NOT NULL,
            comment TEXT NOT NULL,
            question TEXT NOT NULL,
            standalone TEXT NOT NULL,
            history TEXT NOT NULL,
            releases TEXT NOT NULL,
            language TEXT NOT NULL,
            text TEXT NOT NULL,
            abstained INTEGER NOT NULL,
            citations TEXT NOT NULL,
            passages TEXT NOT NULL,
            model TEXT NOT NULL,
            versions TEXT NOT NULL
        )
        """
    )


#: Migrations in order. A released one is never changed.
MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (m001_initial,)


def row_of(feedback: Feedback) -> dict[str, object]:
    """Convert feedback to a table row.

    Args:
        feedback: rating to store.

    Returns:
        Values by column, without the id.
    """
    values = feedback.to_dict()
    listed = {key: value for key, value in values.items() if isinstance(value, list | dict)}
    when = feedback.rated_at.astimezone(timezone.utc)
    texts = {key: json.dumps(value, ensure_ascii=False) for key, value in listed.items()}
    return {**values, **texts, "rated_at": when.isoformat(timespec="microseconds")}


def feedback_of(row: sqlite3.Row) -> Feedback:
    """Convert a table row to feedback.

    Does not use `Feedback.parse`, so that ratings stored under other limits stay readable.

    Args:
        row: row written by `row_of`.

    Raises:
        ValueError, LookupError, TypeError: the row is damaged.
    """
    return Feedback(
        answer_id=row["answer_id"],
        rated_at=datetime.fromisoformat(row["rated_at"]),
        good=bool(row["good"]),
        reason=row["reason"],
        comment=row["comment"],
        question=row["question"],
        standalone=row["standalone"],
        history=tuple(json.loads(row["history"])),
        releases=tuple(map(Release.parse, json.loads(row["releases"]))),
        language=row["language"],
        text=row["text"],
        abstained=bool(row["abstained"]),
        citations=tuple(json.loads(row["citations"])),
        passages=tuple(json.loads(row["passages"])),
        model=row["model"],
        versions=json.loads(row["versions"]),
        id=row["id"],
    )

"""Files that are damaged, not ours, not to be written, or older: those of feedback."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from assistant.feedback import store as module
from assistant.feedback.schema import MIGRATIONS
from assistant.feedback.store import FILE, FeedbackStore
from ingest.errors import TorchnotesError
from tests.assistant.ratings import RECORD, rating
from tests.unprivileged import unprivileged


def _garbage(path: Path) -> None:
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 100)


def _torn(path: Path) -> None:
    store = FeedbackStore(path)
    for n in range(30):
        store.add(rating(answer_id=f"answer-{n:08}", text="x" * 3000))
    content = path.read_bytes()
    path.write_bytes(content[:8192] + b"\xa5" * (len(content) - 8192))


def _without_table(path: Path) -> None:
    FeedbackStore(path).add(rating())
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE feedback")


def _bad_row(path: Path) -> None:
    FeedbackStore(path).add(rating())
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE feedback SET citations = '[{'")
        other.commit()


def _bad_text(path: Path) -> None:
    FeedbackStore(path).add(rating())
    with closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE feedback SET comment = CAST(x'ff' AS TEXT)")
        other.commit()


@pytest.mark.parametrize(
    "damage",
    [_garbage, _torn, _without_table, _bad_row, _bad_text],
    ids=lambda function: function.__name__[1:],
)
def test_a_damaged_file_is_told_of_and_left_alone(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / FILE
    damage(path)
    before = path.read_bytes()
    with pytest.raises(
        TorchnotesError, match=r"it is damaged, or no file of feedback \(.*\); move it away"
    ) as told:
        FeedbackStore(path).all()
    assert str(told.value).startswith(f"{path}: ") and "\n" not in str(told.value)
    assert path.read_bytes() == before


def test_writing_to_what_is_no_database_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / FILE
    _garbage(path)
    before = path.read_bytes()
    with pytest.raises(TorchnotesError, match="move it away"):
        FeedbackStore(path).add(rating())
    assert path.read_bytes() == before
    path.rename(tmp_path / "away")  # as the message says
    FeedbackStore(path).add(rating())
    assert FeedbackStore(path).all() == (rating(),)


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE feedback (id INTEGER)", "PRAGMA application_id = 7", "PRAGMA user_version = 1"],
    ids=["table", "application", "version"],
)
def test_a_database_of_another_program_is_left_alone(tmp_path: Path, statement: str) -> None:
    path = tmp_path / FILE
    with closing(sqlite3.connect(path)) as other:
        other.execute(statement)
        other.commit()
    before = path.read_bytes()
    store = FeedbackStore(path)
    for use in (store.all, store.clear, lambda: store.add(rating())):
        with pytest.raises(TorchnotesError, match="a database of another program stands there; move it away"):
            use()
    assert path.read_bytes() == before


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(
        TorchnotesError, match=r"cannot be opened or written \(.*\); .* TORCHNOTES_HOME to another"
    ):
        FeedbackStore(tmp_path / "home" / FILE).add(rating())
    with pytest.raises(TorchnotesError, match="cannot be opened or written"):
        FeedbackStore(tmp_path / "home" / "deeper" / FILE).add(rating())
    assert FeedbackStore(tmp_path / "home" / FILE).all() == ()


def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(
        TorchnotesError, match=r"cannot be opened or written \(unable to open database file\)"
    ):
        FeedbackStore(tmp_path / FILE).all()


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    FeedbackStore(tmp_path / FILE).add(rating())  # all is imported
    with unprivileged() as folder:
        folder.chmod(0o500)
        with pytest.raises(TorchnotesError, match="cannot be opened or written"):
            FeedbackStore(folder / FILE).add(rating())


def test_a_file_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / FILE
    FeedbackStore(path).add(rating())

    def m002_stars(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE feedback ADD COLUMN stars INTEGER NOT NULL DEFAULT 5")

    def m003_fails(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM feedback")
        connection.execute("no statement at all")

    first = MIGRATIONS
    monkeypatch.setattr(module, "MIGRATIONS", (*first, m002_stars))
    assert FeedbackStore(path).all() == (rating(),)
    monkeypatch.setattr(module, "MIGRATIONS", (*first, m002_stars, m003_fails))
    with pytest.raises(TorchnotesError):
        FeedbackStore(path).all()
    monkeypatch.setattr(module, "MIGRATIONS", (*first, m002_stars))
    assert FeedbackStore(path).all() == (rating(),)  # the one that failed is undone
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA user_version").fetchone() == (2,)
        assert other.execute("SELECT stars FROM feedback").fetchone() == (5,)
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    monkeypatch.setattr(module, "MIGRATIONS", first)
    with pytest.raises(
        TorchnotesError, match=r"feedback of format 2, this version reads formats up to 1; update"
    ):
        FeedbackStore(path).add(rating())


def test_the_first_format_stays_readable(tmp_path: Path) -> None:
    """A file as version 0.1 made it, written by hand: whoever changes the table must migrate it."""
    path = tmp_path / FILE
    columns = (
        "answer_id, rated_at, good, reason, comment, question, standalone, history, releases, language, "
        "text, abstained, citations, passages, model, versions"
    )
    values = {
        key: json.dumps(value) if isinstance(value, list | dict) else value for key, value in RECORD.items()
    }
    with closing(sqlite3.connect(path)) as other:
        other.executescript(
            f"CREATE TABLE feedback (id INTEGER PRIMARY KEY AUTOINCREMENT, {columns}, UNIQUE (answer_id));"
            "PRAGMA application_id = 1953392226; PRAGMA user_version = 1;"
        )
        other.execute(
            f"INSERT INTO feedback ({columns}) VALUES ({', '.join(f':{c}' for c in columns.split(', '))})",  # noqa: S608
            values,
        )
        other.commit()
    assert FeedbackStore(path).all() == (rating(),)

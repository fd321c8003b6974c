"""The bot's file: claims across processes, and what is too old."""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path

import pytest

from ingest.errors import TorchnotesError
from ui.slack.state import State


def claims(path: Path, count: int) -> list[int]:
    """Which of many events a process got."""
    state = State(path)
    return [number for number in range(count) if state.claim(f"Ev{number}")]


def test_processes_share_the_events(tmp_path: Path) -> None:
    path = tmp_path / "new" / "slack.sqlite3"
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        first, second = pool.starmap(claims, [(path, 200)] * 2)
    assert sorted(first + second) == list(range(200))


def test_an_event_has_several_names(tmp_path: Path) -> None:
    state = State(tmp_path / "s.sqlite3")
    assert state.claim("Ev1", "message:1")
    assert not state.claim("Ev2", "message:1") and not state.claim("Ev1", "message:2")
    assert state.claim("Ev3", "message:3")


def test_what_is_kept_outlives_the_process_for_a_time(tmp_path: Path) -> None:
    day = 24 * 3600.0
    State(tmp_path / "s.sqlite3", lambda: 0.0).keep("a", {"question": "问"})
    State(tmp_path / "s.sqlite3", lambda: 0.0).claim("Ev1")
    State(tmp_path / "s.sqlite3", lambda: 0.0).join("C1:1.1")
    later = State(tmp_path / "s.sqlite3", lambda: 6 * day)
    assert later.kept("a") == {"question": "问"} and not later.claim("Ev1")
    later = State(tmp_path / "s.sqlite3", lambda: 8 * day)
    assert later.kept("a") is None  # also before it is deleted
    later.tidy()
    assert later.joined("C1:1.1") and later.claim("Ev1")
    much_later = State(tmp_path / "s.sqlite3", lambda: 400 * day)
    much_later.tidy()
    assert much_later.kept("a") is None and not much_later.joined("C1:1.1")


def test_a_file_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(TorchnotesError, match="a database of another program stands there; move it away"):
        State(path).claim("Ev1")
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(TorchnotesError, match=r"no file of the bot's state .* and a new one is made"):
        State(path).claim("Ev1")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(TorchnotesError, match="make its folder writable"):
        State(tmp_path / "file" / "s.sqlite3").claim("Ev1")

"""Outages: what is taken is answered, what is answered is posted, and nothing is posted twice."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from ingest.errors import TorchnotesError
from tests.ui.slack.conftest import Start, connected, idle, service_of
from tests.ui.slack.server import BOT, FakeSlack
from tests.ui.slack.test_conversation import QUESTION, mention, slash, text_of
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words
from ui.slack.jobs import Backoff, Job
from ui.slack.service import Service
from ui.slack.state import FILE, State


@pytest.mark.parametrize("method", ["chat.postMessage", "chat.update"])
@pytest.mark.parametrize(
    "fault",
    [
        {"status": 503, "times": 4},
        {"status": 0, "times": 4},
        {"status": 0, "done": True},
        {"status": 503, "done": True},
        {"error": "internal_error", "times": 3},
        {"error": "fatal_error", "done": True},
    ],
    ids=["503", "dropped", "reply dropped", "reply 503", "error", "error though done"],
)
def test_an_outage_delays_an_answer_and_repeats_nothing(
    slack: FakeSlack, bot: Service, method: str, fault: dict[str, object]
) -> None:
    slack.fail(method, **fault)  # type: ignore[arg-type]
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    idle(bot)
    (said,) = slack.said()
    assert "libuv" in text_of(said)


def test_an_outage_while_a_long_answer_is_posted_repeats_no_part(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    from tests.ui.slack.app_states import OtherDesk
    from tests.ui.slack.test_blocks import long_answer

    bot = start(OtherDesk(app_state, lambda *_, **__: long_answer()))
    mention(slack, "All of it?")
    slack.until(lambda: slack.said())
    for _ in range(3):
        slack.fail("chat.postMessage", 0, done=True)
    idle(bot)
    parts = [str(message["blocks"]) for message in slack.said()]
    assert len(parts) > 2 and len(parts) == len(set(parts))


def test_a_private_answer_is_tried_again(slack: FakeSlack, bot: Service) -> None:
    slack.fail("respond", 503, times=5)
    slash(slack, QUESTION)
    slack.until(lambda: any("libuv" in text_of(sent) for sent in slack.called("respond")[5:]))
    idle(bot)


def test_a_channel_that_is_gone_ends_the_job(
    slack: FakeSlack, bot: Service, caplog: pytest.LogCaptureFixture
) -> None:
    slack.fail("chat.postMessage", error="is_archived")
    mention(slack, QUESTION)
    slack.until(lambda: slack.called("chat.postMessage"))
    idle(bot)
    assert "is_archived" in caplog.text and len(slack.called("chat.postMessage")) == 1


def test_what_a_bot_leaves_when_it_is_ended_the_next_one_answers(
    slack: FakeSlack, app_state: AppState, tmp_path: Path
) -> None:
    patient = Backoff(first=3600, longest=3600)
    with connected(service_of(slack, app_state, tmp_path / FILE, backoff=patient)) as bot:
        slack.until(lambda: slack.connections)
        slack.fail("chat.update", error="internal_error")
        mention(slack, QUESTION)
        slack.until(lambda: slack.called("chat.update"))
        slack.until(lambda: bot.worker.waiting() == 1)
    assert slack.said()[0]["text"] == words.THINKING["en"]
    with connected(service_of(slack, app_state, tmp_path / FILE)) as bot:
        slack.until(lambda: slack.answers())
        idle(bot)
    assert len(slack.said()) == 1


def test_lock_files_of_killed_bots_are_removed_after_a_time(
    slack: FakeSlack, app_state: AppState, tmp_path: Path
) -> None:
    old, new = tmp_path / "slack-worker-a.lock", tmp_path / "slack-worker-b.lock"
    for path in (old, new):
        path.touch()
    os.utime(old, (1, 1))
    with connected(service_of(slack, app_state, tmp_path / FILE)):
        slack.until(lambda: slack.connections)
    assert new.exists() and not old.exists()


def test_an_event_that_cannot_be_stored_is_not_acknowledged_and_comes_again(
    slack: FakeSlack, bot: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, failing = State.claim, [True, True]

    def full(state: State, *keys: str, **more: object) -> bool:
        if failing:
            failing.pop()
            raise TorchnotesError("no room")
        return claim(state, *keys, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(State, "claim", full)
    event = slack.says(f"<@{BOT}> {QUESTION}")
    sent = {slack.deliver(event, "Ev1", retry=number) for number in (None, 1, 2)}
    slack.until(lambda: slack.answers())
    idle(bot)
    assert len(sent & slack.acked.keys()) == 1 and len(slack.said()) == 1


def test_failures_are_tried_again_for_ten_minutes_and_then_more_rarely() -> None:
    job, backoff, now, pauses = Job("k", "", 0.0, {}, "m"), Backoff(), 0.0, []
    while backoff.failed(job, now):
        pauses.append(job.due - now)
        now = job.due
    assert pauses[:7] == [1, 2, 4, 8, 16, 32, 60] and max(pauses[:15]) == 60
    assert not any(pause > 60 for pause in pauses[: pauses.index(600)]) and pauses[-1] == 600
    assert sum(pauses[: pauses.index(600)]) >= 540 and sum(pauses) >= 23 * 3600 and job.late


def test_the_text_of_a_question_is_deleted_when_it_is_answered(
    slack: FakeSlack, app_state: AppState, tmp_path: Path
) -> None:
    with connected(service_of(slack, app_state, tmp_path / FILE)) as bot:
        bot.state._kept_for = 0.0
        slack.until(lambda: slack.connections)
        mention(slack, QUESTION)
        slack.until(lambda: slack.answers())
        idle(bot)
    State(tmp_path / FILE).tidy()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("slack.sqlite3*"))
    assert stored and b"TCPStore" not in stored and b"UANN" not in stored
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_ids_are_hashed_with_a_key_of_the_file(tmp_path: Path) -> None:
    one, two = State(tmp_path / "a.sqlite3"), State(tmp_path / "b.sqlite3")
    assert one.hashed("UANN") == State(tmp_path / "a.sqlite3").hashed("UANN") != two.hashed("UANN")


def test_a_file_of_an_older_version_is_taken_over_without_its_plain_ids(tmp_path: Path) -> None:
    from ui.slack.state import _APPLICATION, _m001_initial

    path = tmp_path / FILE
    with sqlite3.connect(path) as connection:
        _m001_initial(connection)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO claims VALUES ('press:a:good:UANN:1', 1)")
    connection.close()
    assert State(path).claim("Ev1")
    with sqlite3.connect(path) as connection:
        assert "UANN" not in str(connection.execute("SELECT * FROM claims").fetchall())
    connection.close()

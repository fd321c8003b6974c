"""The state file is locked by another process: whoever asked is answered all the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from tests.ui.slack.server import BOT, FakeSlack
from tests.ui.slack.test_conversation import QUESTION, mention, text_of
from ui.slack import bot_messages as words
from ui.slack.service import Service
from ui.slack.state import State


@pytest.fixture
def locked_after_claim(bot: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A bot whose file is locked as soon as it has taken an event; it waits a moment for the lock."""
    bot.state.tidy()  # the file is there
    bot.state._database = bot.state.jobs._database = replace(bot.state._database, timeout=0.1)
    other = sqlite3.connect(bot.state.path, isolation_level=None, check_same_thread=False)
    claim = State.claim

    def claim_and_lock(state: State, *keys: str, **more: Any) -> bool:
        taken = claim(state, *keys, **more)
        if not other.in_transaction:
            other.execute("BEGIN EXCLUSIVE")
        return taken

    monkeypatch.setattr(State, "claim", claim_and_lock)
    with closing(other):
        yield bot


@pytest.mark.usefixtures("locked_after_claim")
def test_the_answer_takes_the_place_of_the_placeholder(
    slack: FakeSlack, caplog: pytest.LogCaptureFixture
) -> None:
    mention(slack, QUESTION)
    slack.until(lambda: slack.said() and slack.said()[0]["text"] != words.THINKING["en"], "it thinks on")
    (said,) = slack.said()
    assert "libuv" in text_of(said)
    slack.until(lambda: "another process is writing it" in caplog.text)


@pytest.mark.usefixtures("locked_after_claim")
def test_a_thread_that_is_not_given_is_answered_too(
    slack: FakeSlack, monkeypatch: pytest.MonkeyPatch, locked_after_claim: Service
) -> None:
    def joined(state: State, thread: str) -> bool:
        raise state._database.refused(sqlite3.OperationalError("database is locked"))

    monkeypatch.setattr(State, "joined", joined)  # readers do not wait for the log, but for its recovery
    slack.fail("conversations.replies", error="missing_scope")
    slack.deliver(slack.says(f"<@{BOT}> {QUESTION}", thread="1600000000.000001"))
    slack.until(lambda: slack.answers(), "no answer came")

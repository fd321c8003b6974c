"""What calls leave in memory, each with a session of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import gradio as gr
import pytest
from gradio.server_messages import ProcessCompletedMessage

from tests.ui.web import small
from tests.ui.web.serving import serving
from ui.web import page as pages
from ui.web import sessions

LONG = "x" * 100_000
_BOUND = 5


class Served:
    """A server with small bounds, and its page."""

    def __init__(self, address: str, page: gr.Blocks) -> None:
        self.address, self.page, self._number = address, page, count()

    def ask(self, session: str = "") -> str:
        """Ask what is refused, and read the refusal; the session."""
        session = session or f"s{next(self._number)}"
        number = next(each._id for each in self.page.fns.values() if each.api_name == "ask")
        sent = {"data": [LONG, [], [], "", True], "fn_index": number, "session_hash": session}
        self._post("queue/join", sent)
        with urlopen(f"{self.address}/gradio_api/queue/data?session_hash={session}") as reply:
            assert "process_completed" in reply.read().decode()
        return session

    def _post(self, route: str, sent: object) -> None:
        body = json.dumps(sent).encode()
        place = f"{self.address}/gradio_api/{route}"
        with urlopen(Request(place, body, {"content-type": "application/json"})) as reply:
            assert json.load(reply)["event_id"]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """It, over the small notes."""
    made: list[gr.Blocks] = []
    build = pages.build_page

    def keep(*given: Any) -> gr.Blocks:
        made.append(build(*given))
        return made[-1]

    monkeypatch.setattr(pages, "build_page", keep)
    for name in ("MAX_SESSIONS", "MAX_UNREAD_SESSIONS", "MAX_UNREAD_MESSAGES"):
        monkeypatch.setattr(sessions, name, _BOUND)
    with serving(small.make(tmp_path, monkeypatch).app_state) as address:
        yield Served(address, made[0])


def test_sessions_are_kept_within_bounds_and_without_what_was_sent(served: Served) -> None:
    for _ in range(3 * _BOUND):
        last = served.ask()
    states, queue = served.page.state_holder, served.page._queue
    assert last in states and len(states.session_data) == len(states.time_last_used) == _BOUND
    assert len(queue.pending_messages_per_session) == _BOUND >= len(queue.pending_event_ids_session)
    kept = [part["props"].get("value") for state in states.session_data.values() for part in state.components]
    assert LONG not in kept


def test_messages_that_nobody_reads_are_kept_within_bounds(served: Served) -> None:
    for _ in range(3 * _BOUND):
        served.ask("mine")
    queue = served.page._queue
    messages = queue.pending_messages_per_session["mine"]
    for number in range(3 * _BOUND):
        queue.pending_event_ids_session["mine"].add(str(number))
        done = ProcessCompletedMessage(output={}, success=True, event_id=str(number))
        messages.put_nowait(done)
    assert messages.qsize() == len(queue.pending_event_ids_session["mine"]) == _BOUND


def test_a_session_where_something_runs_and_one_that_is_read_stay(served: Served) -> None:
    queue = served.page._queue
    kept, read = served.ask(), served.ask()
    event = type("Event", (), {"session_hash": kept})()
    queue.event_ids_to_events["running"] = event
    for _ in range(3 * _BOUND):
        served.ask()
        assert queue.pending_messages_per_session[read] is not None
    assert kept in queue.pending_messages_per_session
    assert len(queue.pending_messages_per_session) == _BOUND


def test_uploads_that_nobody_sends_are_forgotten() -> None:
    signals = sessions.UploadSignals(3)

    async def ask() -> list[bool]:
        return [signals[str(number)].is_set() for number in range(9)]

    assert asyncio.run(ask()) == [False] * 9 and len(signals) == 3
    signals["8"].set()
    assert signals["8"].is_set()

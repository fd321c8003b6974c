"""A question that ends its process is not taken up for ever: each bot that took it over would end as well."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.rows import each_row
from ui.slack import bot_messages as words
from ui.slack.asker import Asker
from ui.slack.jobs import Job
from ui.slack.modes import ChannelModes
from ui.slack.state import FILE, State
from ui.slack.worker import TryAgainError

COMMAND = {
    "kind": "command",
    "channel": "C1",
    "user": "U1",
    "text": "what is new?",
    "history": [],
    "notes": [],
    "asked_at": "",
    "url": "http://127.0.0.1/",
    "lead": "",
}
CODE = {
    "kind": "message",
    "teams": [],
    "channel": "C1",
    "direct": False,
    "user": "U1",
    "asked_at": "1.0",
    "thread": "1.0",
    "text": "what breaks in 2.8?",
    "mentioned": True,
    "files": [],
    "code": "import torch\ntorch.qr(x)\n",
}


class Ending:
    """In place of all that an answer needs: what is asked of it ends the process."""

    def __getattr__(self, name: str) -> object:
        raise SystemExit(f"killed by {name}")


def taken_over(state: State, number: int) -> Job:
    (job,) = state.jobs.take_over(f"worker {number + 1}", [f"worker {number}"])
    return job


def asker_of(state: State) -> Asker:
    parts = cast("Any", Ending())
    return Asker(parts, state, parts, parts, ChannelModes(), offers_help=False)


@each_row("task", [COMMAND, CODE])
def test_a_question_that_ends_its_process_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: dict[str, Any]
) -> None:
    monkeypatch.setattr("ui.slack.asker.is_torch_code", lambda code: Ending().parser)
    state = State(tmp_path / f"{task['kind']}-{FILE}")
    job = Job("key", "", 1.0, task, mark="m", stage="waiting")
    assert state.claim("event", add=(job, "worker 0"))
    for number in range(3):
        with pytest.raises(SystemExit):
            asker_of(state).answer(taken_over(state, number))
    last = taken_over(state, 3)
    asker_of(state).answer(last)
    assert last.stage == "ready" and words.BROKEN["en"] in str(last.messages)


def test_what_is_tried_again_by_the_same_process_is_no_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = State(tmp_path / FILE)
    job = Job("key", "", 1.0, COMMAND, mark="m", stage="waiting")
    assert state.claim("event", add=(replace(job), "worker"))
    asker = asker_of(state)

    def out(job: Job) -> bool:
        raise TryAgainError("Slack is out")

    monkeypatch.setattr(asker, "_snippet", out)
    for _ in range(5):
        with pytest.raises(TryAgainError):
            asker.answer(job)
    assert job.attempts == 0

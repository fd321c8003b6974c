"""kill -9 of a bot at its steps: another one takes its work up, and each question is answered once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.index.processes import needs_fork
from tests.ui.slack.bot_process import bots
from tests.ui.slack.server import BOB, DM, FakeSlack
from tests.ui.slack.slack_week import Week, play
from tests.ui.slack.week_people import Said, check
from ui.slack.state import FILE

pytestmark = needs_fork

QUESTION = "@bot What is the default backend of TCPStore in 2.4?"
THREAD = (
    Said(QUESTION, opens="t", soon=True),
    Said("and is FSDP2 a prototype there?", thread="t", user=BOB),
)


def killed_at(slack: FakeSlack, folder: Path, step: int) -> bool:
    """Play the thread with a bot that is killed at a step; whether it was."""
    with bots() as processes:
        week = Week(slack, folder / FILE, None, processes)
        week.start()
        dying = week.start(kill_at=step)
        threads = play(week, THREAD, kill_every=1000)
        check(slack, threads)
        return not dying.is_alive()


@pytest.mark.parametrize("step", [6, 11])
def test_a_bot_killed_at_a_step_loses_and_repeats_nothing(
    slack: FakeSlack, tmp_path: Path, step: int
) -> None:
    killed_at(slack, tmp_path, step)


SHORT = (
    Said(QUESTION, opens="a"),
    Said("lol", "silence", thread="a", user=BOB),
    Said("and in 2.5?", thread="a"),
    Said("thanks! :tada:", "silence", thread="a"),
    Said("hey <@UBOB> can you look at this?", "silence", thread="a"),
    Said("Is FSDP2 in 2.4?", channel=DM, soon=True),
    Said("and in 2.3?", channel=DM),
    Said("@bot help", "reply"),
)


def test_outages_and_kills_lose_and_repeat_nothing(slack: FakeSlack, tmp_path: Path) -> None:
    with bots() as processes:
        week = Week(slack, tmp_path / FILE, None, processes)
        week.start()
        week.start()
        check(slack, play(week, SHORT, kill_every=2))
        assert week.kills >= 2 and week.faults

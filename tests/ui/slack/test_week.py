"""A week of a team with the bot, with outages and killed processes: what is asked is answered once."""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path

import pytest

from tests.index.processes import needs_fork
from tests.ui.slack.bot_process import POINTS, bots
from tests.ui.slack.server import FakeSlack
from tests.ui.slack.slack_week import Week, each_step, play
from tests.ui.slack.week_people import check
from tests.ui.slack.week_script import ALL_STEPS, MODES, SCRIPT
from ui.slack.state import FILE

pytestmark = needs_fork


def go_through(slack: FakeSlack, home: Path, folder: Path, seed: int) -> None:
    """Play the week with outages, and a kill at every step, in an order by chance."""
    with bots() as processes:
        week = Week(slack, folder / FILE, home, processes, random.Random(seed), modes=MODES)
        week.points = deque(POINTS)
        week.chance.shuffle(week.points)
        week.bury()
        played = play(week, SCRIPT, kill_every=8)
        played += each_step(week, ALL_STEPS)
        check(slack, played)
        assert week.kills >= len(POINTS) + 10 and week.faults >= 50


@pytest.mark.long
def test_a_week(slack: FakeSlack, built: Path, tmp_path: Path) -> None:
    assert len(SCRIPT) >= 80
    go_through(slack, built, tmp_path, 24)

"""A week of a team with the bot, with outages and killed processes: what is asked is answered once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.index.processes import needs_fork
from tests.ui.slack.bot_process import bots
from tests.ui.slack.server import FakeSlack
from tests.ui.slack.slack_week import Week, check, play
from tests.ui.slack.week_script import MODES, SCRIPT
from ui.slack.state import FILE

pytestmark = needs_fork


@pytest.mark.parametrize("seed", [None, 24, 25, 26], ids=str)
def test_a_week(slack: FakeSlack, built: Path, tmp_path: Path, seed: int | None) -> None:
    trouble = seed is not None
    assert len(SCRIPT) >= 80
    with bots() as processes:
        chance = random.Random(seed)
        week = Week(slack, tmp_path / FILE, built, processes, chance, modes=MODES, troubled=trouble)
        week.start()
        week.start()
        check(slack, play(week, SCRIPT, kill_every=4 if trouble else 1000))
        assert not trouble or (week.kills >= 15 and week.faults >= 50)

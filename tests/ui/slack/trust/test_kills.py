"""kill -9 of a bot at each of its steps: another one takes its work up."""

from __future__ import annotations

from pathlib import Path

from tests.index.processes import needs_fork
from tests.ui.slack.server import FakeSlack
from tests.ui.slack.test_kills import killed_at

pytestmark = needs_fork

ALL_STEPS = 80  # more than the two questions take


def test_a_bot_killed_at_any_step_loses_and_repeats_nothing(tmp_path: Path) -> None:
    killed = 0
    for step in range(ALL_STEPS):
        (tmp_path / str(step)).mkdir()
        with FakeSlack() as slack:
            killed += killed_at(slack, tmp_path / str(step), step)
    assert killed > 20

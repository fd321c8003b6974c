"""Every command that changes the index, killed at random moments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.index.processes import needs_fork
from tests.trust.acting import ACTIONS, Place
from tests.trust.kills import kill_once

pytestmark = needs_fork


@pytest.mark.parametrize("action", ACTIONS)
def test_a_command_killed_at_random_moments(place: Place, tmp_path: Path, action: str, rounds: int) -> None:
    each = -(-rounds // len(ACTIONS))
    killed = [kill_once(place, tmp_path / "home", action, number) for number in range(each)]
    assert sum(killed) > each // 3

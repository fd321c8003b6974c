"""The week once more, with outages and kills at other times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.index.processes import needs_fork
from tests.ui.slack.server import FakeSlack
from tests.ui.slack.test_week import go_through

pytestmark = needs_fork


@pytest.mark.parametrize("seed", [25, 26, 27])
def test_another_week(slack: FakeSlack, built: Path, tmp_path: Path, seed: int) -> None:
    go_through(slack, built, tmp_path, seed)

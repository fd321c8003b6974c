"""A sample of what `make trust` tries: commands killed, files damaged, a disk that is full."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from tests.index.processes import needs_fork
from tests.trust.acting import ACTIONS, Place, use_small_parts
from tests.trust.conftest import place  # noqa: F401 - a fixture
from tests.trust.harms import HARMS, check_harm, damageable
from tests.trust.kills import kill_once
from tests.trust.test_full_disk import run_on_small_disk

pytestmark = needs_fork
EACH = 4  # kills of each command
SAMPLE = 8  # damaged files


@pytest.mark.parametrize("action", ACTIONS)
def test_a_killed_command_leaves_a_whole_index(place: Place, tmp_path: Path, action: str) -> None:  # noqa: F811
    for number in range(EACH):
        kill_once(place, tmp_path / "home", action, number)


def test_a_damaged_file_is_named_and_mended(
    place: Place,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    home = tmp_path / "home"
    use_small_parts(monkeypatch, place, home)

    def said() -> str:
        lines = [record.message for record in caplog.records]
        caplog.clear()
        return "\n".join(["".join(capfd.readouterr()), *lines])

    every = [(name, harm) for name in damageable(place.base / "home") for harm in HARMS]
    for name, harm in random.Random(0).sample(every, SAMPLE):
        shutil.copytree(place.base / "home", home)
        check_harm(place, home, name, harm, said)
        shutil.rmtree(home)


def test_a_full_disk_is_one_line(place: Place, tmp_path: Path) -> None:  # noqa: F811
    done = run_on_small_disk(place, tmp_path / "disk", ["add"], [0, 28_672])
    assert done.returncode == 0, done.stderr
    assert "refused" in done.stdout

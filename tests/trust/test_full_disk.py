"""A disk that is full, and a home that may only be read."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.index.processes import needs_fork
from tests.trust.acting import Place

pytestmark = needs_fork
ROOT = Path(__file__).resolve().parents[2]
SIZES = (0, 4096, 12_288, 20_480, 28_672, 36_864, 45_056, 61_440, 81_920)


def run_on_small_disk(
    place: Place, disk: Path, actions: Sequence[str], sizes: Sequence[int]
) -> subprocess.CompletedProcess[str]:
    """Run commands in a namespace of mounts that has a disk of 2 MB; skips where none may be made."""
    disk.mkdir()
    if sys.platform != "linux" or not shutil.which("unshare"):
        pytest.skip("a small disk needs Linux and unshare: the full disk is not tried here")
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    mount = ["sh", "-c", 'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"', str(disk)]
    can = subprocess.run([*alone, *mount, "true"], capture_output=True, text=True, check=False)
    if can.returncode:
        pytest.skip(f"no small disk can be mounted ({can.stderr.strip()}): the full disk is not tried here")
    arguments = [place.base, place.site, disk, ",".join(actions), ",".join(map(str, sizes))]
    program = [sys.executable, "-m", "tests.trust.on_small_disk", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*alone, *mount, *program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("action", ["add", "remove", "sync", "rebuild"])
def test_a_full_disk_is_one_line_and_loses_nothing(place: Place, tmp_path: Path, action: str) -> None:
    done = run_on_small_disk(place, tmp_path / "disk", [action], SIZES)
    assert done.returncode == 0, done.stderr
    assert "refused" in done.stdout and "done" in done.stdout, done.stdout

"""Run commands on a disk that is nearly full: `on_small_disk BASE SITE DISK ACTIONS SIZES`.

It is a program of its own, since only a process may see the small disk. It prints a line for each action and
each size of what is free.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
from pathlib import Path

import pytest

from index.storage.store import Store
from tests.trust.acting import Place, perform, texts, use_small_parts
from tests.trust.harms import is_one_line_of_a_full_disk


def try_one(place: Place, disk: Path, action: str, free: int) -> str:
    """Run an action with so many bytes free, then with enough; what came of it."""
    home = disk / "home"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(place.base / "home", home)
    old = texts(home)
    filler = disk / "filler"
    room = shutil.disk_usage(disk).free
    filler.write_bytes(bytes(max(room - free, 0)))
    said = io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        use_small_parts(patch, place, home)
        code = perform(place, action)
        stuck = code != 0
        if stuck:
            assert is_one_line_of_a_full_disk(said.getvalue()), said.getvalue()
            assert "Traceback" not in said.getvalue() and texts(home) == old
            left = [p.name for p in home.rglob("*") if "tmp" in p.name]
            assert not left, left
        assert Store(home).verify() == []
        filler.unlink()
        assert perform(place, action) == 0 or action == "remove", said.getvalue()
        assert Store(home).verify() == []
    line = said.getvalue().strip().splitlines()[-1] if not stuck else ""
    return f"{action} with {free} bytes free: {'refused' if stuck else 'done'} {line}"


if __name__ == "__main__":
    base, site, small, actions, sizes = sys.argv[1:]
    for name in actions.split(","):
        for size in sizes.split(","):
            sys.stdout.write(try_one(Place(Path(base), site), Path(small), name, int(size)) + "\n")

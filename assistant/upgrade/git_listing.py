"""Listing of the files that git does not ignore.

The folder may be hostile, and the configuration of a repository can name programs that git runs
(`core.fsmonitor`), so git never reads the configuration of the folder: it lists it as the working tree of an
empty repository of ours.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

_SECONDS = 60


def listed_by_git(folder: Path) -> list[Path] | None:
    """Return the files below a folder that .gitignore files do not exclude, sorted.

    Args:
        folder: folder to list; need not be the root of its repository.

    Returns:
        Paths below the folder; None if it is in no repository, or git is missing or fails.
    """
    top = _top(folder)
    git = shutil.which("git")
    if top is None or git is None:
        return None
    with tempfile.TemporaryDirectory() as empty:
        options = ["--git-dir", empty, "--work-tree", str(top), "-c", "core.fsmonitor=false"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        listing = ["ls-files", "-z", "--others", "--exclude-standard", "--", str(folder)]
        try:
            for command in (
                [git, "init", "--quiet", "--bare", "--template=", empty],
                [git, *options, *listing],
            ):
                done = subprocess.run(
                    command, cwd=top, env=environment, capture_output=True, timeout=_SECONDS, check=True
                )
        except (OSError, subprocess.SubprocessError):
            return None
    names = (os.fsdecode(name) for name in done.stdout.split(b"\0") if name)
    return sorted(top / name for name in names if not name.endswith("/"))  # with a slash: a nested repository


def _top(folder: Path) -> Path | None:
    """Return the root of the repository that contains a folder."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)

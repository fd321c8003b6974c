"""Indexes that are built once for all processes of a test run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return a folder that the first process that asks for it fills; the others wait until it has.

    What is in it is shared: a test that changes it copies it before.

    Args:
        factory: of the run; under xdist its processes have folders below one.
        name: of the folder.
        build: fills the folder that it is given.
    """
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    folder = root / f"built-{name}"
    with FileLock(f"{folder}.lock"):
        if not (folder / ".whole").exists():
            folder.mkdir(exist_ok=True)
            build(folder)
            (folder / ".whole").touch()
    return folder

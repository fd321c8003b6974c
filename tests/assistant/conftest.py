"""What the tests that run programs share."""

from __future__ import annotations

import getpass
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock


@pytest.fixture(scope="module")
def alone() -> Iterator[None]:
    """No other process of this user runs hostile programs meanwhile.

    One that starts processes without end leaves none to the others of its user, and the suite runs files
    side by side.
    """
    with FileLock(Path(tempfile.gettempdir(), f"torchnotes-programs-{getpass.getuser()}.lock")):
        yield

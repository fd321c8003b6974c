"""Detection of the sandbox backends that work on this machine, by running a trivial program."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from shutil import which

from assistant.sandbox import bubblewrap
from assistant.sandbox.execution import execute
from assistant.sandbox.isolation import ALL, BUBBLEWRAP, Isolation, Name
from assistant.sandbox.outcome import Outcome
from assistant.sandbox.run_limits import Limits

_LIMITS = Limits(seconds=20)


def available(*, devices: bool = False) -> tuple[Isolation, ...]:
    """Return the backends that work here, best first; "none" is always among them.

    Args:
        devices: backends that allow GPUs.

    Raises:
        OSError: no program can be started at all.
    """
    found = tuple(Isolation(level.name, devices) for level in ALL if why_not(level.name) is None)
    if not found:
        raise OSError(f"no program can be run on this machine: {why_not('none')}")
    return found


@lru_cache
def why_not(name: Name) -> str | None:
    """Return why a backend does not work here, in one line; None if it does. Cached.

    Args:
        name: name of the backend.
    """
    if name == BUBBLEWRAP.name and which(bubblewrap.PROGRAM) is None:
        return "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "nothing.py")
        program.write_text("print('ok')\n", encoding="utf-8")
        tried = execute(program, limits=_LIMITS, isolation=Isolation(name))
    return None if tried.ok else _told(tried)


def _told(tried: Outcome) -> str:
    return (tried.stderr.strip() or tried.reason).rpartition("\n")[2][:300]

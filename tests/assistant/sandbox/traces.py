"""What a run may leave behind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def processes_with(mark: str) -> list[str]:
    """Command lines of processes with these words there or in their environment; zombies have neither.

    The threads are looked at, as the main one may have ended before the others.
    """
    found = []
    for process in Path("/proc").glob("[0-9]*/task/[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes()
            if mark.encode() in command + (process / "environ").read_bytes():
                found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
    return found

"""How a run ended."""

from __future__ import annotations

import re
import signal as signals
from dataclasses import dataclass
from typing import Literal

Ended = Literal[
    "finished",  # by itself, with an exit code or a signal that was not caused by a limit
    "timed-out",
    "cpu-limit",
    "memory",
    "processes",  # too many processes or threads
    "output",  # too much was written to the streams or the folder
    "cancelled",
    "failed-to-start",
]

_NO_MEMORY = re.compile(
    r"^MemoryError\b|std::bad_alloc|[Cc](?:an't|annot) allocate memory|CUDA out of memory", re.M
)
_NO_ROOM = re.compile(r"No space left on device")
_CLOSE = 0.5  # seconds by which the CPU time that is told may lie below what the kernel counted
_TAIL = 4096  # characters of standard error that tell why a program failed


@dataclass(frozen=True)
class Outcome:
    """A finished run; all its processes have ended and its folder is removed.

    Attributes:
        ended: why it ended, as far as known.
        reason: the same as one line of text.
        stdout: standard output, as UTF-8 with invalid bytes replaced; truncated if `ended` is "output".
        stderr: standard error, likewise.
        exit_code: exit code, None if a signal ended the program or it did not start.
        signal: number of the signal, None if there was none.
        seconds: wall-clock time.
        cpu_seconds: CPU time of the program and the children it waited for, None if unknown.
        peak_memory: peak resident bytes of its largest process, None if unknown.
        isolation: name of the sandbox backend.
    """

    ended: Ended
    reason: str
    stdout: str
    stderr: str
    exit_code: int | None
    signal: int | None
    seconds: float
    cpu_seconds: float | None
    peak_memory: int | None
    isolation: str

    @property
    def ok(self) -> bool:
        """Whether the program ended by itself with exit code 0."""
        return self.ended == "finished" and self.exit_code == 0


def by_itself(
    exit_code: int | None, signal: int | None, stderr: str, cpu: float | None, cpu_limit: int
) -> tuple[Ended, str]:
    """Classify the end of a program that was not ended by us.

    It is taken from what was observed: how it died, and its CPU time. What it wrote is its own word, which
    explains the reason and decides nothing: memory or room that the kernel refused shows nowhere else, and a
    program that tells of it may have had enough.

    Args:
        exit_code: None where a signal ended it.
        signal: its number; None where none did.
        stderr: what it wrote.
        cpu: seconds of it and of the children that it waited for; None where it is not known.
        cpu_limit: seconds.

    Returns:
        Why it is over, and that in one line for people.
    """
    spent = cpu is not None and cpu >= cpu_limit - _CLOSE
    if signal in (signals.SIGXCPU, signals.SIGKILL) and spent:
        return "cpu-limit", f"ended after {cpu_limit} s of CPU time"
    said = _told_of(stderr[-_TAIL:]) if signal or exit_code else ""
    if signal == signals.SIGBUS:
        line = "ended by SIGBUS, as where a file in memory has no room for what is written to it"
    elif signal is not None:
        line = f"ended by {_name(signal)}, which no limit of this run sent"
    elif exit_code:
        last = stderr.strip().rpartition("\n")[2].strip()
        line = f"exit code {exit_code}" + (f": {last[:200]}" if last else "")
    else:
        line = "finished"
    return "finished", line + said


def _told_of(stderr: str) -> str:
    """What a program that failed says of its limits, "" for nothing."""
    if _NO_MEMORY.search(stderr):
        return "; it says that it asked for more memory than it may have"
    if _NO_ROOM.search(stderr):
        return "; it says that it wrote more, or more files, than it has room for"
    return ""


def _name(signal: int) -> str:
    try:
        return signals.Signals(signal).name
    except ValueError:
        return f"signal {signal}"

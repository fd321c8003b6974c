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
_TAIL = 4096  # characters at the end of standard error that are searched


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

    CPU limits of the kernel show as SIGXCPU, or SIGKILL a second later; refused memory shows in the error
    that the program writes.

    Args:
        exit_code: exit code, None if a signal ended it.
        signal: number of the signal, None if there was none.
        stderr: standard error.
        cpu: CPU seconds, None if unknown.
        cpu_limit: limit in CPU seconds.
    """
    killed = signal == signals.SIGKILL and cpu is not None and cpu >= cpu_limit
    if signal == signals.SIGXCPU or killed:
        return "cpu-limit", f"ended after {cpu_limit} s of CPU time"
    if (signal or exit_code) and _NO_MEMORY.search(stderr[-_TAIL:]):
        return "memory", "asked for more memory than it may have"
    if (signal or exit_code) and _NO_ROOM.search(stderr[-_TAIL:]):
        return "output", "wrote more, or more files, than it has room for"
    if signal == signals.SIGBUS:
        return "finished", "ended by SIGBUS, as where a file in memory has no room for what is written to it"
    if signal is not None:
        return "finished", f"ended by {_name(signal)}, which no limit of this run sent"
    if exit_code:
        last = stderr.strip().rpartition("\n")[2].strip()
        return "finished", f"exit code {exit_code}" + (f": {last[:200]}" if last else "")
    return "finished", "finished"


def _name(signal: int) -> str:
    try:
        return signals.Signals(signal).name
    except ValueError:
        return f"signal {signal}"

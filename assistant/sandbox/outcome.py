"""How a run ended."""

from __future__ import annotations

import re
import signal as signals
from dataclasses import dataclass
from typing import Literal

Ended = Literal[
    "finished",  # by itself, with an exit code or a signal that no limit of ours sent
    "timed-out",
    "cpu-limit",
    "memory",
    "processes",  # too many of them, or of their threads
    "output",  # too much was written: to the streams, or into its folder
    "cancelled",
    "failed-to-start",
]

_NO_MEMORY = re.compile(
    r"^MemoryError\b|std::bad_alloc|[Cc](?:an't|annot) allocate memory|CUDA out of memory", re.M
)
_NO_ROOM = re.compile(r"No space left on device")
_TAIL = 4096  # characters of standard error that tell why a program failed


@dataclass(frozen=True)
class Outcome:
    """A run that is over. Nothing of it lives any more, and its folder is gone.

    Attributes:
        ended: why it is over; never more than is known.
        reason: the same in one line for people.
        stdout: what was written, as UTF-8 with broken bytes replaced; cut where `ended` is "output".
        stderr: likewise.
        exit_code: None where a signal ended the program, or it never started.
        signal: the signal's number.
        seconds: wall clock.
        cpu_seconds: of the program and the children that it waited for; None where it is not known.
        peak_memory: bytes, resident, of its largest process; None where it is not known.
        isolation: the name of what held it.
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
        """The program ran to its end and says that all is well."""
        return self.ended == "finished" and self.exit_code == 0


def by_itself(
    exit_code: int | None, signal: int | None, stderr: str, cpu: float | None, cpu_limit: int
) -> tuple[Ended, str]:
    """What is known of a program that we did not end.

    A limit of the kernel shows in how the program died: SIGXCPU, or SIGKILL a second later; and memory that
    is refused shows in the error that the program then writes.
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

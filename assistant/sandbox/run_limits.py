"""How much a program may use."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields

KB, MB, GB = 1 << 10, 1 << 20, 1 << 30
_THREADS, _THREADS_A_CORE = 1024, 8


def _threads() -> int:
    """What honest programs stay below: torch has several pools of a thread for each core, in one process."""
    return max(_THREADS, _THREADS_A_CORE * (os.cpu_count() or 1))


@dataclass(frozen=True)
class Limits:
    """What a run may use at most; beyond it the program is ended, or the call that asks for more fails.

    The kernel holds `cpu_seconds`, `memory`, `file_bytes` and `open_files` for each process, at once.
    What several processes use together (`processes`, `threads`, `memory`, `folder_bytes`, `folder_files`) is
    looked at ten times a second, so it may be passed for a moment.

    Attributes:
        seconds: wall clock, from the start.
        cpu_seconds: CPU time of one process, over its threads. A whole compile takes some 20.
        memory: bytes of address space of one process, and of private memory of all of them together.
            Importing torch takes 768 MB of address space, compiling 1 GB, some checks 2 to 4 GB. With GPUs
            the address space is left alone: CUDA reserves far more of it than there is memory.
        file_bytes: of one file. Compiling writes files of up to 20 MB.
        folder_bytes: of all files in the program's folder.
        folder_files: how many files and folders these may be.
        open_files: of one process.
        processes: that live at one time. Whoever is not root gets no more threads than that either.
        threads: that live at one time, of all processes together. By default 1024, or 8 for each core of this
            machine where that is more.
        output_bytes: of standard output, and of standard error.
    """

    seconds: float = 120.0
    cpu_seconds: int = 120
    memory: int = 4 * GB
    file_bytes: int = 500 * MB
    folder_bytes: int = 2 * GB
    folder_files: int = 50_000
    open_files: int = 1024
    processes: int = 256
    threads: int = field(default_factory=_threads)
    output_bytes: int = 1 * MB

    def __post_init__(self) -> None:
        for limit in fields(self):
            if not getattr(self, limit.name) > 0:
                given = getattr(self, limit.name)
                raise ValueError(f"the limit {limit.name} is {given!r}, but has to be more than 0")

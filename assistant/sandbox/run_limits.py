"""Resource limits of a run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields

KB, MB, GB = 1 << 10, 1 << 20, 1 << 30
_THREADS, _THREADS_A_CORE = 1024, 8


def _threads() -> int:
    """Return a limit above what legitimate programs use: torch has several pools of a thread per core."""
    return max(_THREADS, _THREADS_A_CORE * (os.cpu_count() or 1))


@dataclass(frozen=True)
class Limits:
    """Resource limits of a run. A program that exceeds one is ended, or the call that requests more fails.

    The kernel enforces `cpu_seconds`, `memory`, `file_bytes` and `open_files` for each process. Totals over
    several processes (`processes`, `threads`, `memory`, `folder_bytes`, `folder_files`) are checked ten times
    a second, so they can be exceeded for a moment.

    Attributes:
        seconds: wall-clock time.
        cpu_seconds: CPU time of one process, all threads together. Compiling takes about 20.
        memory: bytes of address space of one process, and of private memory of all processes together.
            Importing torch takes 768 MB of address space, compiling 1 GB, some checks 2 to 4 GB. With GPUs
            address space is not limited: CUDA reserves far more than there is memory.
        file_bytes: bytes of one file. Compiling writes files of up to 20 MB.
        folder_bytes: bytes of all files in the program's folder.
        folder_files: number of files and folders in it.
        open_files: open files of one process.
        processes: concurrent processes; except for root, also the number of threads.
        threads: concurrent threads of all processes together. By default 1024, or 8 per core if that is more.
        output_bytes: bytes of standard output, and of standard error.

    Raises:
        ValueError: a limit is not above 0.
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

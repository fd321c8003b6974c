"""Finding and killing the processes of a run; outside Linux only by process group."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.sandbox.guard import descendants, end_descendants, threads

MARK = "TORCHNOTES_RUN"  # in the environment of every process of a run: a token of its own
_PATIENCE = 10.0  # seconds for what was sent SIGKILL to be gone
# Of /proc/meminfo: what is free, belongs to processes or files, or can be given back. The rest is the
# kernel's, pages of sockets and pipes included, which it counts nowhere.
_NOT_OF_KERNEL = (
    *("MemFree", "Buffers", "Cached", "SwapCached", "AnonPages"),
    *("KReclaimable", "Hugetlb", "Zswap"),
)
_TRIES = 5  # at the threads of a process that tells nothing itself


def end(process: subprocess.Popen[bytes], folder: Path, token: str) -> None:
    """Kill a process and all that it started, and wait until they have ended.

    In a process namespace, its first process is a child of `process`, and the kernel kills the others with
    it. Otherwise descendants are found through their parents, which the guard keeps together; if the program
    has killed its guard, through the token in their environment, or a working directory in `folder`.

    Args:
        process: the process.
        folder: base folder of the run.
        token: value of `MARK` in the environment of the run.
    """
    with _before_others():
        end_descendants(process.pid)
        if process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        until = time.monotonic() + _PATIENCE
        while (strays := _strays(folder, token)) and time.monotonic() < until:
            for stray in strays:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(stray, signal.SIGKILL)


def places(pid: int) -> Iterator[str]:
    """Yield the folders in /proc with information on a process: its own, then those of its threads.

    If the main thread has ended, the first has none, and another thread has to be read; several attempts are
    needed, as threads may end while they are read.

    Args:
        pid: the process.
    """
    yield f"/proc/{pid}"
    for _ in range(_TRIES):
        yield from threads(pid)[1:]


def private_memory(pids: list[int]) -> int:
    """Return the resident bytes of processes that belong to no file; shared pages count for each of them.

    Args:
        pids: the processes.
    """
    return sum(map(_private_pages, pids)) * mmap.PAGESIZE


def _private_pages(pid: int) -> int:
    for place in places(pid):
        with suppress(OSError), open(f"{place}/statm", encoding="ascii") as file:
            size, resident, shared, *_ = map(int, file.read().split())
            if size:
                return resident - shared
    return 0


def swapped_memory(pids: list[int]) -> int:
    """Return the swapped bytes of processes.

    Args:
        pids: the processes.
    """
    return sum(map(_swapped, pids)) << 10


def _swapped(pid: int) -> int:
    for place in places(pid):
        with suppress(OSError), open(f"{place}/status", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("VmSwap:"):
                    return int(line.split()[1])
    return 0


@dataclass(frozen=True)
class Memory:
    """Memory of this machine.

    Attributes:
        total: bytes.
        left: bytes that can be had without moving anything to disk.
        swapped: something was moved to disk.
        kernel: bytes that the kernel holds for all processes and cannot give back: tables of pages, mappings,
            buffers of sockets and pipes.
    """

    total: int
    left: int
    swapped: bool
    kernel: int = 0


def machine_memory() -> Memory:
    """Return the memory of this machine; `sys.maxsize` where it is unknown, as outside Linux."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            told = {
                name: int(rest.split()[0]) << 10 for name, _, rest in (line.partition(":") for line in file)
            }
    except OSError:
        return Memory(sys.maxsize, sys.maxsize, False)
    left = told.get("MemAvailable", sys.maxsize)
    swapped = told.get("SwapTotal", 0) > told.get("SwapFree", 0)
    kernel = told["MemTotal"] - sum(told.get(name, 0) for name in _NOT_OF_KERNEL)
    return Memory(told["MemTotal"], left, swapped, kernel)


def tasks_of_user() -> int:
    """Return the number of this user's threads on the machine, as the kernel counts them for RLIMIT_NPROC."""
    user = os.getuid()
    tasks = 0
    for path in _all():
        with suppress(OSError):
            if path.stat().st_uid == user:
                tasks += len(os.listdir(path / "task"))
    return tasks


@lru_cache
def forks_are_held() -> bool:
    """Return whether a program outside a process namespace can be ended however fast it forks.

    RLIMIT_NPROC limits ordinary users but not root. Then the only way is a higher scheduling priority than
    the program's, which root may not have in a container.
    """
    if sys.platform != "linux":
        return False
    if os.geteuid():
        return True
    with _before_others() as before:
        return before


@contextmanager
def _before_others() -> Iterator[bool]:
    """Give this thread real-time priority if permitted; yields whether it has.

    Linux divides CPU time among sessions: a program that creates a thousand sessions would leave us a
    thousandth. Needs CAP_SYS_NICE.
    """
    if sys.platform != "linux":
        yield False
        return
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    first = False
    try:
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
            first = True
        yield first
    finally:
        os.sched_setscheduler(0, policy, parameters)


def _all() -> list[Path]:
    if sys.platform != "linux":
        return []
    return [Path(entry.path) for entry in os.scandir("/proc") if entry.name.isdigit()]


def _strays(folder: Path, token: str) -> list[int]:
    """Return the remaining processes of a run, whatever their parents."""
    mark = f"{MARK}={token}".encode()
    return [int(path.name) for path in _all() if _belongs(path, folder, mark)]


def _belongs(process: Path, folder: Path, mark: bytes) -> bool:
    for place in map(Path, places(int(process.name))):
        try:
            if mark in (place / "environ").read_bytes().split(b"\0"):
                return True
            return Path(os.readlink(place / "cwd")).is_relative_to(folder)
        except PermissionError:  # another user's process
            return False
        except OSError:  # this thread has ended
            continue
    return False


__all__ = [
    "MARK",
    "descendants",
    "end",
    "forks_are_held",
    "machine_memory",
    "places",
    "private_memory",
    "swapped_memory",
    "tasks_of_user",
]

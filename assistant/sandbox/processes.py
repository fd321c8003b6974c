"""Finding and ending the processes of a run. Linux; elsewhere the process group only."""

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
_TRIES = 5  # at the threads of a process that tells nothing itself


def end(process: subprocess.Popen[bytes], folder: Path, token: str) -> None:
    """End a process and everything that it started, and wait until all are gone.

    In a process namespace its first process is below `process`, and the kernel ends the others with it.
    Elsewhere the descendants are found by their parents, which the guard keeps together; and should the
    program have ended its guard, by the token in their environment, or by a working folder in `folder`.
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
    """Folders in /proc that may tell of a process: its own, then those of its threads.

    When the main thread has ended, the first tells of nothing any more, and one of the others has to be
    asked: again and again, as they may come and go faster than they are read.
    """
    yield f"/proc/{pid}"
    for _ in range(_TRIES):
        yield from threads(pid)[1:]


def private_memory(pids: list[int]) -> int:
    """Bytes in memory that belong to these processes and to no file; shared pages count for each."""
    return sum(map(_private_pages, pids)) * mmap.PAGESIZE


def _private_pages(pid: int) -> int:
    for place in places(pid):
        with suppress(OSError), open(f"{place}/statm", encoding="ascii") as file:
            size, resident, shared, *_ = map(int, file.read().split())
            if size:
                return resident - shared
    return 0


def swapped_memory(pids: list[int]) -> int:
    """Bytes of these processes that were moved from memory to disk."""
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
    """

    total: int
    left: int
    swapped: bool


def machine_memory() -> Memory:
    """What this machine has; where it does not tell, as elsewhere than on Linux, it has no end of it."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            told = {
                name: int(rest.split()[0]) << 10 for name, _, rest in (line.partition(":") for line in file)
            }
    except OSError:
        return Memory(sys.maxsize, sys.maxsize, False)
    left = told.get("MemAvailable", sys.maxsize)
    return Memory(told["MemTotal"], left, told.get("SwapTotal", 0) > told.get("SwapFree", 0))


def tasks_of_user() -> int:
    """Threads of this user on the machine, which the kernel counts for RLIMIT_NPROC."""
    user = os.getuid()
    tasks = 0
    for path in _all():
        with suppress(OSError):
            if path.stat().st_uid == user:
                tasks += len(os.listdir(path / "task"))
    return tasks


@lru_cache
def forks_are_held() -> bool:
    """A program outside of a process namespace can be ended however fast it forks.

    For ordinary users RLIMIT_NPROC holds it. It does not hold root: then the only way is to run before all
    that it starts, and in a container root may not do so either.
    """
    if sys.platform != "linux":
        return False
    if os.geteuid():
        return True
    with _before_others() as before:
        return before


@contextmanager
def _before_others() -> Iterator[bool]:
    """Let this thread run before all ordinary ones, where it may; True where it does.

    Linux shares the processor out by sessions: a program that makes a session for each of a thousand children
    would leave us a thousandth of it. Needs CAP_SYS_NICE.
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
    """Processes of a run, wherever they hang."""
    mark = f"{MARK}={token}".encode()
    return [int(path.name) for path in _all() if _belongs(path, folder, mark)]


def _belongs(process: Path, folder: Path, mark: bytes) -> bool:
    for place in map(Path, places(int(process.name))):
        try:
            if mark in (place / "environ").read_bytes().split(b"\0"):
                return True
            return Path(os.readlink(place / "cwd")).is_relative_to(folder)
        except PermissionError:  # it is another user's
            return False
        except OSError:  # this thread is gone
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

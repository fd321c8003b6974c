"""Checks of a running program for limits that the kernel does not enforce."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from assistant.sandbox.filesystem_view import SHARED
from assistant.sandbox.folder import Folder
from assistant.sandbox.isolation import Isolation
from assistant.sandbox.outcome import Ended
from assistant.sandbox.processes import descendants, machine_memory, places, private_memory, swapped_memory
from assistant.sandbox.run_limits import MB, Limits

LOOK = 0.1  # seconds between two checks
_FOLDER_LOOKS = 5  # the folder is measured at every fifth check
_LEAST_LEFT = 512 * MB  # memory that must stay available on the machine, or
_LEAST_SHARE = 1 / 16  # this share of all its memory, whichever is less


class Watchdog:
    """Decides whether a run has to be ended.

    Args:
        pid: process that was started.
        folder: folders of the run.
        limits: resource limits.
        isolation: sandbox backend.
        cancelled: ends the run when set; None: cannot be cancelled.

    Attributes:
        began: monotonic time of the start.
    """

    def __init__(
        self,
        pid: int,
        folder: Folder,
        limits: Limits,
        isolation: Isolation,
        cancelled: threading.Event | None,
    ) -> None:
        self.began = time.monotonic()
        self._pid = pid
        self._folder = folder
        self._limits = limits
        self._isolation = isolation
        self._cancelled = cancelled
        self._looks = 0
        self._next = self.began + LOOK
        self._kernel = machine_memory().kernel

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.began

    @property
    def patience(self) -> float:
        """Seconds until the next check."""
        return max(0.0, self._next - time.monotonic())

    def look(self) -> tuple[Ended, str] | None:
        """Return why the run has to end, None if it may continue."""
        limits = self._limits
        if self._cancelled is not None and self._cancelled.is_set():
            return "cancelled", "cancelled"
        if self.seconds > limits.seconds:
            return "timed-out", f"ended after {limits.seconds:g} s"
        if self.patience:
            return None
        self._next = time.monotonic() + LOOK
        self._looks += 1
        threads_of = descendants(self._pid, limits.processes, limits.threads)
        below = [pid for pid, count in threads_of.items() if count]
        if len(threads_of) > limits.processes:
            return "processes", f"ended with more than {limits.processes} processes"
        if sum(threads_of.values()) > limits.threads:  # RLIMIT_NPROC does not apply to root
            return "processes", f"ended with more than {limits.threads} threads in its processes"
        if why := self._memory(below):
            return why
        if self._looks % _FOLDER_LOOKS == 0:
            return self._written(below)
        return None

    def _memory(self, below: list[int]) -> tuple[Ended, str] | None:
        """Memory of its processes; and of the machine, as the kernel's own (of sockets, say) is nobody's.

        What the kernel holds may grow for others too, but hardly by as much as a whole run may have.
        """
        limits, machine = self._limits, machine_memory()
        used = private_memory(below) + (swapped_memory(below) if machine.swapped else 0)
        if used > limits.memory:
            return "memory", f"ended when its processes used more than {limits.memory / MB:.0f} MB of memory"
        if machine.kernel - self._kernel > limits.memory:
            grown = f"more than {limits.memory / MB:.0f} MB"
            return "memory", f"ended when the kernel held {grown} more for the processes of this machine"
        least = min(_LEAST_LEFT, machine.total * _LEAST_SHARE)
        if machine.left < least:
            return "memory", f"ended when this machine had less than {least / MB:.0f} MB of memory left"
        return None

    def _written(self, below: list[int]) -> tuple[Ended, str] | None:
        limits = self._limits
        if self._isolation.namespace:
            written, files = self._in_memory(below)
        else:
            written, files = self._folder.size(limits.folder_files)
        if files > limits.folder_files:
            return "output", f"ended with more than {limits.folder_files} files"
        if written > limits.folder_bytes:
            return "output", f"ended when its files took more than {limits.folder_bytes / MB:.0f} MB"
        return None

    def _in_memory(self, below: list[int]) -> tuple[int, int]:
        """Return bytes and number of files in a namespace, seen through one of its processes.

        Deleted files that are still open count as well. If no process can be inspected, the size of each file
        system is still limited.
        """
        for place in (place for pid in below for place in places(pid)):
            try:
                used = [_used(place, path) for path in (self._folder.work, SHARED)]
            except OSError:  # it has ended, or is not in its namespace yet
                continue
            return sum(written for written, _ in used), sum(files for _, files in used)
        return 0, 0


def _used(place: str, path: Path) -> tuple[int, int]:
    """Return bytes and files of a process's file system at a path; 0 if it is the same as outside."""
    inside = Path(f"{place}/root{path}")
    if path.exists() and inside.stat().st_dev == path.stat().st_dev:
        return 0, 0
    found = os.statvfs(inside)
    return (found.f_blocks - found.f_bfree) * found.f_frsize, found.f_files - found.f_ffree

"""Looking at a run while it lasts: what no limit of the kernel holds."""

from __future__ import annotations

import threading
import time

from assistant.checks.folder import Folder
from assistant.checks.limits import MB, Limits
from assistant.checks.outcome import Ended
from assistant.checks.processes import descendants, private_memory

LOOK = 0.1  # seconds between two looks
_FOLDER_LOOKS = 5  # the folder is looked at less often


class Watch:
    """Says when a run has to be ended, and why."""

    def __init__(self, pid: int, folder: Folder, limits: Limits, cancelled: threading.Event | None) -> None:
        self.began = time.monotonic()
        self._pid = pid
        self._folder = folder
        self._limits = limits
        self._cancelled = cancelled
        self._looks = 0
        self._next = self.began + LOOK

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self.began

    @property
    def patience(self) -> float:
        """Seconds until the next look is due."""
        return max(0.0, self._next - time.monotonic())

    def look(self) -> tuple[Ended, str] | None:
        """Why the run has to end now; None while it may go on."""
        limits = self._limits
        if self._cancelled is not None and self._cancelled.is_set():
            return "cancelled", "cancelled"
        if self.seconds > limits.seconds:
            return "timed-out", f"ended after {limits.seconds:g} s"
        if self.patience:
            return None
        self._next = time.monotonic() + LOOK
        self._looks += 1
        below = descendants(self._pid, limits.processes)
        if len(below) > limits.processes:
            return "processes", f"ended with more than {limits.processes} processes"
        if private_memory(below) > limits.memory:
            return "memory", f"ended when its processes used more than {limits.memory / MB:.0f} MB of memory"
        if self._looks % _FOLDER_LOOKS == 0:
            return self._written()
        return None

    def _written(self) -> tuple[Ended, str] | None:
        limits = self._limits
        written, files = self._folder.size(limits.folder_files)
        if files > limits.folder_files:
            return "output", f"ended with more than {limits.folder_files} files"
        if written > limits.folder_bytes:
            return "output", f"ended when its files took more than {limits.folder_bytes / MB:.0f} MB"
        return None

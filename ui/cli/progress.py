"""Progress of builds and long runs: a moving line on a terminal, otherwise a few lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import TextIO

STAGES = {
    "fetch": "downloading",
    "bulk": "on workers",
    "split": "splitting",
    "embed": "embedding",
    "terms": "indexing terms",
    "write": "writing",
    "read": "reading",
    "ask": "asking",
    "get": "downloading",
    "check": "verifying",
}
_UNITS = {
    "fetch": "documents",
    "bulk": "files",
    "split": "documents",
    "embed": "texts",
    "terms": "chunks",
    "write": "",
    "read": "vectors",
    "ask": "questions",
    "get": "MB",
    "check": "MB",
}
_WIDTH = 24
_REDRAW = 0.1  # seconds between updates of the moving line
_REPORT = 10.0  # seconds between lines if it is not a terminal


class BuildProgressLine:
    """Shows the stages of a build; pass it as `progress`, and use it as a context manager that ends the line.

    Args:
        stream: stream to write to; None: standard error.
        clock: returns monotonic seconds.
    """

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream or sys.stderr
        self._clock = clock
        self._moving = self._stream.isatty()
        self._stage = ""
        self._began = (0.0, 0)  # start of the stage, and items done at that time
        self._shown = float("-inf")
        self._open = False

    def __enter__(self) -> BuildProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show the progress of a stage.

        Args:
            stage: key of `STAGES`.
            done: number of items done.
            total: number of items.
        """
        now = self._clock()
        if stage != self._stage:
            self._close()
            self._stage, self._began, self._shown = stage, (now, done), float("-inf")
        finished = done >= total
        wait = _REDRAW if self._moving else _REPORT
        if not finished and now - self._shown < wait:
            return
        self._shown = now
        line = self._line(stage, done, total, now)
        if self._moving:
            self._write(f"\r{line}\x1b[K")
            self._open = True
            if finished:
                self._close()
        elif finished or done > self._began[1]:
            self._write(f"{line}\n")

    def say(self, line: str) -> None:
        """Write a separate line.

        Args:
            line: text to write.
        """
        self._close()
        self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        """Write text; a broken pipe does not stop the build."""
        with suppress(BrokenPipeError):
            self._stream.write(text)
            self._stream.flush()

    def _line(self, stage: str, done: int, total: int, now: float) -> str:
        name, unit = STAGES.get(stage, stage), _UNITS.get(stage, "")
        share = done / total if total else 1.0
        filled = round(share * _WIDTH)
        bar = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] " if self._moving else ""
        count = f"{done:,} of {total:,} {unit}".rstrip() if unit else f"{share:.0%}"
        return f"{name:<14} {bar}{count}{self._left(done, total, now)}"

    def _left(self, done: int, total: int, now: float) -> str:
        """Return the estimated remaining time; items done at the start (from a cache) are not counted."""
        began, at_once = self._began
        if done >= total or done <= at_once or now <= began:
            return ""
        return f", {duration((total - done) * (now - began) / (done - at_once))} left"

    def _close(self) -> None:
        if self._open:
            self._write("\n")
            self._open = False


def duration(seconds: float) -> str:
    """Format a duration.

    Args:
        seconds: number of seconds.

    >>> duration(7.2), duration(75), duration(4000)
    ('7 s', '1 min 15 s', '1 h 6 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"

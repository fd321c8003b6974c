"""Stopping a server: answers in flight end first, for a bounded time, and new questions are refused."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType

import uvicorn

from ui.shared.request_queue import RequestQueue

_log = logging.getLogger(__name__)
_LAST_WORDS = 0.5  # seconds for the end of the last answer to be sent
#: Seconds that connections get to end when no question is being answered.
CONNECTIONS = 1
#: Seconds after which a process that was told to stop ends, whatever still runs in it.
_AT_MOST = 8.0


class StoppingServer(uvicorn.Server):
    """Lets the answers in flight end when it gets SIGTERM; a second signal, or Ctrl+C, ends it at once.

    Meanwhile it goes on serving, since answers are sent over connections that the page opens anew, and
    `/readyz` tells that it is stopping.

    Args:
        config: configuration of uvicorn.
        lines: queues of questions and reports, which are closed.
        seconds: that answers may take to end.
        at_last: called when they have ended, or are cut off.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        lines: Sequence[RequestQueue],
        seconds: float,
        at_last: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._at_last = at_last
        self._lines = lines
        self._seconds = seconds
        self._until = 0.0
        self._idle_since = 0.0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop.

        Args:
            sig: the signal.
            frame: where the program was.
        """
        if sig == signal.SIGTERM and not self._lines[0].closed:
            # uvicorn would raise the signal again in the end: a stop that was asked for is no failure.
            for line in self._lines:
                line.closed = True
            self._until = time.monotonic() + self._seconds
        else:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Return whether to end, ten times a second.

        Args:
            counter: number of the tick.
        """
        over = await super().on_tick(counter)
        if not over and self._until > 0.0 and self._has_ended():
            self._at_last()
            over = True
        return over

    def _has_ended(self) -> bool:
        now = time.monotonic()
        if now >= self._until:
            left = sum(line.running + line.waiting for line in self._lines)
            if left:
                _log.warning("stopped after %g s; %d answers were cut off", self._seconds, left)
            return True
        if not all(line.idle for line in self._lines):
            self._idle_since = 0.0
        elif not self._idle_since:
            self._idle_since = now
        return self._idle_since > 0.0 and now - self._idle_since >= _LAST_WORDS


def end_soon(seconds: float = _AT_MOST) -> None:
    """End this process after some seconds, if it has not ended by itself.

    An answer that was cut off runs in a thread that nobody can stop: it may wait for a language model for
    minutes, and Python waits for it.

    Args:
        seconds: to wait.
    """
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()

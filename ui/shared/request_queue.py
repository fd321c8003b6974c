"""Where questions wait: a few are answered side by side, some may wait, the rest are turned away at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from ingest.errors import TorchnotesError

AT_ONCE = 4  # each keeps a core busy
WAITING = 64


class BusyError(TorchnotesError):
    """Too many questions wait already."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} questions are waiting already; ask again in a moment")


class RequestQueue:
    """A line of questions.

    Args:
        at_once: how many are answered side by side.
        waiting: how many may wait for that.
    """

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._limiter = anyio.CapacityLimiter(at_once)
        self._most = waiting

    @property
    def free(self) -> bool:
        """Whether a question would be answered at once."""
        return self._limiter.available_tokens >= 1

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return self._limiter.statistics().tasks_waiting

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for one's turn, and keep it.

        Raises:
            BusyError: too many wait.
        """
        if not self.free and self.waiting >= self._most:
            raise BusyError(self.waiting)
        # A stopped answer is closed by another task than the one that began it: the place is nobody's own.
        holder = object()
        await self._limiter.acquire_on_behalf_of(holder)
        try:
            yield
        finally:
            self._limiter.release_on_behalf_of(holder)

"""A queue for questions: a few are answered at a time, some can wait, others are rejected at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from ingest.errors import TorchnotesError

AT_ONCE = 4  # each uses a whole core
WAITING = 64
SHARE = 32  # of one sender; a whole team may come from one address


class BusyError(TorchnotesError):
    """Too many questions are waiting.

    Args:
        waiting: number of waiting questions.
    """

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} questions are waiting already; ask again in a moment")


class StoppingError(TorchnotesError):
    """The server is stopping, and takes no more questions."""

    def __init__(self) -> None:
        super().__init__("the server is stopping and takes no more questions; ask again in a moment")


class RequestQueue:
    """A queue of questions.

    Args:
        at_once: maximum number answered at a time.
        waiting: maximum number waiting.
        share: maximum number of one sender, those that are answered included.

    Attributes:
        closed: no more questions are taken; those that were taken are answered.
        refused: number of questions that were refused.
    """

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING, share: int = SHARE) -> None:
        self._limiter = anyio.CapacityLimiter(at_once)
        self._most = waiting
        self._share = share
        self._held: Counter[str] = Counter()
        self.closed = False
        self.refused = 0

    @property
    def free(self) -> bool:
        """Whether a question would be answered without waiting."""
        return self._limiter.available_tokens >= 1

    @property
    def waiting(self) -> int:
        """Number of waiting questions."""
        return self._limiter.statistics().tasks_waiting

    @property
    def running(self) -> int:
        """Number of questions that are being answered."""
        return self._limiter.statistics().borrowed_tokens

    @property
    def idle(self) -> bool:
        """Whether no question is being answered or waits."""
        return not (self.running or self.waiting)

    @asynccontextmanager
    async def place(self, sender: str = "") -> AsyncIterator[None]:
        """Wait for a free place and hold it.

        Args:
            sender: who asks; "" for one without a share, such as this machine.

        Raises:
            StoppingError: the queue is closed.
            BusyError: too many questions are waiting, or too many of this sender.
        """
        if self.closed:
            self.refused += 1
            raise StoppingError
        if not self.free and self.waiting >= self._most:
            self.refused += 1
            raise BusyError(self.waiting)
        if sender and self._held[sender] >= self._share:
            self.refused += 1
            raise BusyError(self._held[sender])
        self._held[sender] += 1
        try:
            async with self._turn():
                yield
        finally:
            self._held[sender] -= 1
            if not self._held[sender]:
                del self._held[sender]

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        # A stopped answer is closed by another task than the one that started it, so no task owns the place.
        holder = object()
        await self._limiter.acquire_on_behalf_of(holder)
        try:
            yield
        finally:
            self._limiter.release_on_behalf_of(holder)

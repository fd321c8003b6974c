"""Two lines of work: what must be said at once, and answers; a slow one holds up no other question."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ingest.errors import TorchnotesError

AT_ONCE = 8  # answers; those of a language model wait most of the time
WAITING = 64
_FRONT = 16

_log = logging.getLogger(__name__)


class Pools:
    """Threads for both.

    Args:
        at_once: answers side by side.
        waiting: how many may wait for that.
    """

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._front = ThreadPoolExecutor(_FRONT, thread_name_prefix="slack-front")
        self._answers = ThreadPoolExecutor(at_once, thread_name_prefix="slack-answer")
        self._places = threading.BoundedSemaphore(at_once + waiting)

    def soon(self, work: Callable[[], None]) -> None:
        """Do what takes a request or two."""
        self._front.submit(_logged, work)

    def answer(self, work: Callable[[], None]) -> bool:
        """Do what may take long; False where too much waits already."""
        if not self._places.acquire(blocking=False):
            return False

        def held() -> None:
            try:
                _logged(work)
            finally:
                self._places.release()

        self._answers.submit(held)
        return True

    def close(self) -> None:
        """Let what is begun end; what comes after it is refused."""
        self._front.shutdown(wait=True)
        self._answers.shutdown(wait=True)


def _logged(work: Callable[[], None]) -> None:
    """Nobody waits for these threads: what they raise goes into the log."""
    try:
        work()
    except TorchnotesError as error:
        _log.error("%s", error)
    except Exception:  # noqa: BLE001 - there is nobody else to tell
        _log.exception("a request of Slack's was not answered")

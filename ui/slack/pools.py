"""Two thread pools, for short requests and for answers, so that slow answers delay nothing else."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ingest.errors import TorchnotesError

AT_ONCE = 8  # answers at a time; with a language model they mostly wait
WAITING = 64  # questions; later ones are told that they wait
_FRONT = 16

_log = logging.getLogger(__name__)


class Pools:
    """The thread pools of a service.

    Args:
        at_once: maximum number of answers at a time.
        waiting: number of waiting questions from which on people are told so.

    Attributes:
        places: number of questions that are answered or wait before people are told so.
    """

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self.places = at_once + waiting
        self._front = ThreadPoolExecutor(_FRONT, thread_name_prefix="slack-front")
        self._answers = ThreadPoolExecutor(at_once, thread_name_prefix="slack-answer")

    def soon(self, work: Callable[[], None]) -> None:
        """Run a short task, such as one or two requests.

        Args:
            work: the task.
        """
        self._front.submit(_logged, work)

    def answer(self, work: Callable[[], None]) -> None:
        """Run a task that may take long.

        Args:
            work: the task.
        """
        self._answers.submit(_logged, work)

    def close(self) -> None:
        """Wait for all tasks; new ones are rejected."""
        self._front.shutdown(wait=True)
        self._answers.shutdown(wait=True)


def _logged(work: Callable[[], None]) -> None:
    """Run a task, logging its exceptions, because nobody waits for its result."""
    try:
        work()
    except TorchnotesError as error:
        _log.error("%s", error)
    except Exception:  # noqa: BLE001 - nobody handles it further up
        _log.exception("a request of Slack's was not answered")

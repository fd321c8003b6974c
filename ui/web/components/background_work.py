"""Long work in a separate thread, with progress."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")


class WorkStep(NamedTuple):
    """Progress of a work.

    Attributes:
        stage: name of the stage.
        done: number of items done.
        total: number of items.
    """

    stage: str
    done: int = 0
    total: int = 0


Tell = Callable[[str, int, int], None]
"""Called with the fields of a `WorkStep`; can be passed as `BuildProgress`."""


def watched(work: Callable[[Tell], Result]) -> Generator[WorkStep, None, Result]:
    """Run a work in a thread and yield its latest step; intermediate steps are skipped if the reader is slow.

    The work continues if the generator is closed, so that a visitor who leaves does not interrupt a change.

    Args:
        work: called with a function that reports steps.

    Returns:
        The result of the work.

    Raises:
        Exception: the exception of the work.
    """
    steps: SimpleQueue[WorkStep | None] = SimpleQueue()
    outcome: Future[Result] = Future()

    def run() -> None:
        try:
            outcome.set_result(work(lambda *step: steps.put(WorkStep(*step))))
        except BaseException as error:  # noqa: BLE001 - raised again by `outcome.result`
            outcome.set_exception(error)
        finally:
            steps.put(None)

    threading.Thread(target=run, name="torchnotes-work", daemon=True).start()
    while (step := _newest(steps)) is not None:
        yield step
    return outcome.result()


def _newest(steps: SimpleQueue[WorkStep | None]) -> WorkStep | None:
    """Wait for a step and return the latest one; None at the end."""
    step = steps.get()
    while step is not None and not steps.empty():
        step = steps.get()
    return step

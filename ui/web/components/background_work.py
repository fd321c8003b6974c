"""Long work in a thread of its own, and what it tells meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")


class WorkStep(NamedTuple):
    """How far a work is: its stage, and how much of that is done."""

    stage: str
    done: int = 0
    total: int = 0


Tell = Callable[[str, int, int], None]
"""Called with the parts of a step, as the progress of a build is."""


def watched(work: Callable[[Tell], Result]) -> Generator[WorkStep, None, Result]:
    """Do a work, and yield its steps; those that came while nobody looked are passed over.

    The work is not cut off when the generator is closed: a visitor who leaves stops no half-made change.

    Args:
        work: called with what it is to tell its steps to.

    Returns:
        What the work returned.

    Raises:
        Exception: what the work raised.
    """
    steps: SimpleQueue[WorkStep | None] = SimpleQueue()
    outcome: Future[Result] = Future()

    def run() -> None:
        try:
            outcome.set_result(work(lambda *step: steps.put(WorkStep(*step))))
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            outcome.set_exception(error)
        finally:
            steps.put(None)

    threading.Thread(target=run, name="torchnotes-work", daemon=True).start()
    while (step := _newest(steps)) is not None:
        yield step
    return outcome.result()


def _newest(steps: SimpleQueue[WorkStep | None]) -> WorkStep | None:
    """The last step told so far; waits for one, and gives None once, at the end."""
    step = steps.get()
    while step is not None and not steps.empty():
        step = steps.get()
    return step

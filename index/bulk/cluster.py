"""Work on a Dask cluster: jobs are submitted, and their results are taken as they come.

Dask does the work of a worker that dies on another one. A scheduler that is gone is waited for, and the work
that it had is submitted anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any
from uuid import uuid4

from ingest.errors import TorchnotesError

_ATTEMPTS = 3  # of a job whose result was lost with a scheduler, or that somebody cancelled
_LOOK = 5.0  # seconds without a result after which scheduler and workers are looked for
_GATHER = 60.0  # seconds to wait for a result that a worker has
_CONNECT = 10.0  # seconds to wait for a scheduler
_RETURN = 60.0  # and for one that was there, until it is started again
_WORKERS = 30.0  # seconds to wait for the first worker
#: What a worker raises that has another torchnotes, or none.
_NOT_THERE = (ImportError, AttributeError)


@dataclass(eq=False)
class WorkerJob:
    """Work for a worker.

    Attributes:
        function: a function of `index.bulk.jobs`.
        arguments: its arguments, bytes.
        attempts: how often it was submitted.
    """

    function: Callable[..., bytes]
    arguments: tuple[bytes, ...]
    attempts: int = field(default=0, init=False)


@dataclass(frozen=True, slots=True)
class Failure:
    """A job that no worker could do.

    Attributes:
        reason: why, in one line.
    """

    reason: str


class Cluster:
    """The workers of a scheduler.

    Args:
        text: address of the cluster as given, for messages.
        connect: connects to the scheduler within some seconds; raises TorchnotesError when there is none.
        say: called with a line when something has to be waited for.
    """

    def __init__(self, text: str, connect: Callable[[float], Any], say: Callable[[str], None]) -> None:
        self._text = text
        self._connect = connect
        self._say = say
        self._running: dict[WorkerJob, Any] = {}  # Dask forgets a result that nobody holds
        self._done: SimpleQueue[tuple[WorkerJob, Any]] = SimpleQueue()
        self._client: Any = None
        self._threads = 0
        self._looked = float("-inf")
        self._began = time.time()
        self._lost = 0
        self._open(_CONNECT)

    @property
    def threads(self) -> int:
        """How many jobs the workers do at once, as of a few seconds ago; at least 1."""
        if time.monotonic() - self._looked > _LOOK:
            self._look()
        return max(1, self._threads)

    @property
    def running(self) -> int:
        """Number of jobs whose results were not taken."""
        return len(self._running)

    def lost_workers(self) -> int:
        """Return how many workers were lost since this object was made."""
        return self._lost + self._lost_now()

    def submit(self, job: WorkerJob) -> None:
        """Have a job done.

        Args:
            job: the job.
        """
        if self._client.status != "running":
            self._reopen()
        self._submit(job)

    def take(self) -> tuple[WorkerJob, bytes | Failure]:
        """Wait for the next result, in any order.

        Returns:
            The job, and its result.

        Raises:
            TorchnotesError: the scheduler is gone and does not come back, or the workers cannot do any work.
        """
        while True:
            try:
                job, future = self._done.get(timeout=_LOOK)
            except Empty:
                self._look()
                continue
            if self._running.get(job) is not future:
                continue  # of a scheduler that is gone
            outcome = self._outcome(job, future)
            if outcome is not None:
                del self._running[job]
                return job, outcome

    def close(self) -> None:
        """Give up what is not done, and disconnect."""
        self._running.clear()
        self._client.close()

    def _submit(self, job: WorkerJob) -> None:
        name = job.function.__name__
        job.attempts += 1
        future = self._client.submit(job.function, *job.arguments, key=f"{name}-{uuid4().hex}", pure=False)
        self._running[job] = future
        future.add_done_callback(lambda done: self._done.put((job, done)))

    def _outcome(self, job: WorkerJob, future: Any) -> bytes | Failure | None:  # noqa: ANN401 - Dask has no types
        """Return the result of a job that has ended; None where it is done again."""
        if future.status == "error":
            return self._failed(future.exception())
        try:
            message = future.result(timeout=_GATHER)
        except (CancelledError, TimeoutError, OSError):
            if self._client.status != "running":
                self._reopen()
            elif job.attempts >= _ATTEMPTS:
                return Failure(f"its result was lost {job.attempts} times")
            else:
                self._submit(job)
            return None
        return message if isinstance(message, bytes) else Failure("its worker sent something else")

    def _failed(self, error: BaseException) -> Failure:
        kind, reason = type(error).__name__, str(error).partition("\n")[0][:200]
        if isinstance(error, _NOT_THERE):
            raise TorchnotesError(
                f"--dask {self._text}: a worker cannot run torchnotes ({kind}: {reason}); install the same "
                "version there as here"
            )
        if kind == "KilledWorker":
            return Failure("the workers that had it ended; they may have too little memory")
        return Failure(f"a worker failed with it ({kind}: {reason})")

    def _open(self, timeout: float) -> None:
        self._client = self._connect(timeout)
        try:
            self._client.wait_for_workers(1, timeout=_WORKERS)
        except TimeoutError as error:
            self._client.close()
            raise TorchnotesError(
                f"--dask {self._text}: no worker has come within {_WORKERS:g} s; start some with "
                f"`dask worker {self._text}`, one for each core or GPU"
            ) from error
        self._look()

    def _reopen(self) -> None:
        """Connect to a scheduler that was started again, and submit what the one before had."""
        self._say("the Dask scheduler is gone; waiting for it to come back")
        self._client.close()
        waiting = [*self._running]
        self._running.clear()
        try:
            self._open(_RETURN)
        except TorchnotesError as error:
            raise TorchnotesError(
                f"{error}; what was done until the scheduler was gone is kept, and the same command goes on "
                "there"
            ) from error
        self._began = time.time()
        for job in waiting:
            job.attempts = 0
            self._submit(job)

    def _look(self) -> None:
        """Count the workers; reconnect if the scheduler is gone."""
        try:
            threads = sum(self._client.nthreads().values()) if self._client.status == "running" else None
        except OSError:  # it has just gone
            threads = None
        if threads is None:
            self._reopen()
            return
        if not threads and self._threads:
            self._say("no Dask worker is left; waiting for one")
        self._threads, self._looked = threads, time.monotonic()

    def _lost_now(self) -> int:
        try:
            events = self._client.get_events("all") if self._client.status == "running" else ()
        except OSError:  # nobody knows any more
            events = ()
        return sum(
            event.get("action") == "remove-worker" and not event.get("expected")
            for when, event in events
            if when >= self._began
        )

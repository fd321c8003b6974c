"""The worker of a process: runs the steps of its jobs, and takes over those of workers that have died.

A worker holds a lock of the operating system, which ends with its process, also by `kill -9`. Whoever gets
that lock knows that the worker is gone, and takes its jobs. So no job has two workers, and none is left.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from ingest.errors import TorchnotesError
from ui.slack.jobs import Backoff, Job, Stage
from ui.slack.pools import Pools
from ui.slack.state import State

POLL = 1.0  # seconds between two looks for jobs of other workers
_TIDIED = 3600.0  # seconds between two deletions of old data
_log = logging.getLogger(__name__)

Step = Callable[[Job], None]


class TryAgainError(Exception):
    """A step failed for a reason that passes, such as an outage."""


class Worker:
    """Runs jobs in the background until it is closed.

    Args:
        state: persistent state, shared with other workers.
        pools: thread pools.
        steps: function for each stage, which advances `job.stage`, or raises `TryAgainError`.
        backoff: when failed steps are tried again.
        poll: seconds between two looks for jobs of other workers.

    Attributes:
        id: id of the worker.
    """

    def __init__(
        self,
        state: State,
        pools: Pools,
        steps: Mapping[Stage, Step],
        backoff: Backoff,
        poll: float = POLL,
    ) -> None:
        self.id = uuid.uuid4().hex
        self._state = state
        self._pools = pools
        self._steps = steps
        self._backoff = backoff
        self._poll = poll
        self._held: dict[str, Job] = {}
        self._running: set[str] = set()
        self._done: set[str] = set()  # not deleted yet, because the file is locked
        self._changed = threading.Condition()
        self._closing = self._woken = False
        self._lock = self._lock_of(self.id)
        self._lock.acquire(timeout=0)
        self._thread = threading.Thread(target=self._loop, name="slack-worker", daemon=True)
        self._thread.start()

    def accept(self, job: Job) -> None:
        """Run a job that was stored with this worker's id.

        Args:
            job: the job.
        """
        with self._changed:
            self._held[job.key] = job
        self.wake()

    def wake(self) -> None:
        """Look at once for what can be done."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def waiting(self) -> int:
        """Return the number of jobs that this worker has not finished."""
        with self._changed:
            return len(self._held)

    def close(self) -> None:
        """Finish what can be done now, and leave the rest to other workers, or to the next start."""
        with self._changed:
            self._closing = self._woken = True
            self._changed.notify_all()
        self._thread.join()
        self._pools.close()
        try:
            self._state.jobs.remove(self._done)
            self._state.jobs.release(self.id)
        except TorchnotesError as error:
            _log.error("%s", error)
        self._lock.release()
        with suppress(OSError):
            Path(self._lock.lock_file).unlink()

    def _lock_of(self, worker: str) -> FileLock:
        self._state.path.parent.mkdir(parents=True, exist_ok=True)
        return FileLock(self._state.path.with_name(f"slack-worker-{worker}.lock"), thread_local=False)

    def _loop(self) -> None:
        looked, tidied = 0.0, time.monotonic()
        self._guarded(self._sweep)
        while True:
            now = time.monotonic()
            if now - looked >= self._poll:
                looked = now
                self._guarded(self._take_over)
            if now - tidied >= _TIDIED:
                tidied = now
                self._guarded(self._state.tidy)
                self._guarded(self._sweep)
            self._guarded(self._clear)
            started = self._start()
            with self._changed:
                if self._closing and not started and not self._running:
                    return
                if not self._woken:
                    self._changed.wait(self._pause())
                self._woken = False

    def _pause(self) -> float:
        """Return seconds until a look at the jobs is due; called with the lock held."""
        now = time.time()
        return min([self._poll, *(job.due - now for job in self._held.values() if job.due > now)])

    def _start(self) -> int:
        """Start the steps that are due, and return their number."""
        with self._changed:
            idle = [job for job in self._held.values() if job.key not in self._running]
        started = 0
        for job in sorted(idle, key=lambda job: job.at):
            if job.due > time.time() or (job.stage == "waiting" and self._follows(job)):
                continue
            with self._changed:
                self._running.add(job.key)
            run = self._pools.answer if job.stage == "waiting" else self._pools.soon
            run(lambda job=job: self._run(job))  # type: ignore[misc]
            started += 1
        return started

    def _follows(self, job: Job) -> bool:
        """Return whether an earlier question of the lane is not done; False (logged) if that is unknown."""
        try:
            return self._state.jobs.follows(job)
        except TorchnotesError as error:
            _log.error("%s", error)
            return False

    def _run(self, job: Job) -> None:
        """Run one step, and save what it achieved."""
        try:
            self._steps[job.stage](job)
            job.failures, job.failing_since, job.due, job.late = 0, 0.0, 0.0, False
        except Exception as error:  # noqa: BLE001 - the job is kept and tried again
            if isinstance(error, TryAgainError):
                _log.warning("%s: %s; it is tried again", job.mark, error)
            else:
                _log.exception("a step of %s failed; it is tried again", job.mark)
            job.unsure = True
            if not self._backoff.failed(job, time.time()):
                _log.error("%s is given up: it failed for %g s", job.mark, self._backoff.ends)
                job.stage = "done"
        finally:
            self._stepped(job)

    def _stepped(self, job: Job) -> None:
        try:
            if job.stage != "done":
                self._state.jobs.save(job)
        except TorchnotesError as error:  # this worker has it in memory
            _log.error("%s", error)
        with self._changed:
            self._running.discard(job.key)
            if job.stage == "done":
                self._held.pop(job.key, None)
                self._done.add(job.key)
            self._woken = True
            self._changed.notify_all()

    def _clear(self) -> None:
        with self._changed:
            done = set(self._done)
        if done:
            self._state.jobs.remove(done)
            with self._changed:
                self._done -= done

    def _take_over(self) -> None:
        """Take the jobs of workers that are gone."""
        others = self._state.jobs.workers() - {self.id}
        if not others or self._closing:
            return
        locks = {other: lock for other in others if other and (lock := self._gone(other))}
        gone = [*locks, *({""} & others)]
        try:
            for job in self._state.jobs.take_over(self.id, gone) if gone else ():
                job.unsure, job.due = True, 0.0
                with self._changed:
                    self._held[job.key] = job
        finally:
            for lock in locks.values():
                lock.release()
                with suppress(OSError):
                    Path(lock.lock_file).unlink()

    def _sweep(self) -> None:
        """Remove lock files of workers that died without a job; a new file may not be locked yet."""
        for path in self._state.path.parent.glob("slack-worker-*.lock"):
            old = time.time() - path.stat().st_mtime > _TIDIED
            lock = self._gone(path.stem.removeprefix("slack-worker-")) if old else None
            if lock:
                lock.release()
                path.unlink(missing_ok=True)

    def _gone(self, other: str) -> FileLock | None:
        lock = self._lock_of(other)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return None
        return lock

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do housekeeping; a failure is logged, and it is done again later."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the loop must go on
            _log.error("%s", error, exc_info=not isinstance(error, TorchnotesError))

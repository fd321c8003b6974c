"""One writer at a time: a lease in Milvus.

Milvus has no locks and no transactions, but creating an alias succeeds for one caller alone. The n-th lease
of an index is the alias `<index>_writer_<n>`; whoever has created the highest holds it. It points to a
collection of one row, in which the holder counts up (a beat) for as long as it lives, and says when it has
ended. Another writer takes lease n + 1 when n has ended, or when it has seen no beat of n for `PERIOD`
seconds by its own clock: clocks of two machines are never compared. Before it switches generations a writer
looks whether it still holds the lease.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from index.milvus.schema import create_files
from index.milvus.server import Server
from index.storage.publishing import IndexBusyError
from ingest.errors import TorchnotesError

PERIOD = 20.0  # seconds without a beat after which a writer is taken for dead
_BEATS = 5  # in a period
_ENDED = -1


class Lease:
    """The right to write an index. Use `writer_lease`.

    Args:
        server: the server.
        index: name of the index.
        period: seconds without a beat after which a writer is taken for dead.
    """

    def __init__(self, server: Server, index: str, period: float) -> None:
        self._server = server
        self._index = index
        self._period = period
        self._number = 0
        self._collection = f"{index}_lease_{secrets.token_hex(8)}"
        self._stop = threading.Event()
        self._lost: TorchnotesError | None = None
        self._thread = threading.Thread(target=self._live, daemon=True, name="torchnotes-lease")

    def take(self, wait: float) -> None:
        """Wait for the lease and take it.

        Args:
            wait: seconds to wait for another writer.

        Raises:
            IndexBusyError: another writer still holds it.
            TorchnotesError: the server does not answer.
        """
        began = seen_since = time.monotonic()
        seen: tuple[int, int] | None = None
        while True:
            number = self._highest()
            beat, holder = self._read(number)
            if (number, beat) != seen:
                seen, seen_since = (number, beat), time.monotonic()
            silent = time.monotonic() - seen_since >= self._period
            if (beat == _ENDED or silent) and self._take(number + 1):
                break
            if time.monotonic() - began >= wait:
                raise IndexBusyError(
                    f"index {self._server.address.text}: {holder or 'another process'} is writing it; waited "
                    f"{wait:g} s, try again when it is done"
                )
            self._stop.wait(min(self._period / _BEATS, 1.0))
        for collection in self._collections():
            if collection != self._collection:
                self._server.drop(collection)
        self._thread.start()

    def _take(self, number: int) -> bool:
        """Try to get a lease; the collection is made now, for whoever holds a lease removes all others."""
        create_files(self._server, self._collection)
        self._beat(0)
        if self._server.create_alias(self._collection, self._alias(number)) and self._highest() == number:
            self._number = number
            return True
        self._server.drop(self._collection)
        return False

    def check(self) -> None:
        """Raise an error unless this writer holds the lease.

        Raises:
            IndexBusyError: another writer has taken this one for dead.
            TorchnotesError: the server does not answer, or did not when the lease had to be renewed.
        """
        if self._lost:
            raise self._lost
        if self._highest() != self._number:
            raise IndexBusyError(
                f"index {self._server.address.text}: another process took over writing it, because this one "
                "was silent for too long; nothing was changed, try again"
            )

    def end(self) -> None:
        """Give the lease back."""
        self._stop.set()
        if not self._number:
            return
        self._thread.join()
        if self._highest() == self._number:
            self._beat(_ENDED)

    def _live(self) -> None:
        beat = 0
        while not self._stop.wait(self._period / _BEATS):
            beat += 1
            try:
                self._beat(beat)
            except TorchnotesError as error:  # told by `check`, before anything is switched
                self._lost = error
                return

    def _beat(self, number: int) -> None:
        holder = f"process {os.getpid()} on {socket.gethostname()}"
        row = {"row": 0, "vector": [0.0, 0.0], "name": "lease", "number": number, "pieces": 1, "body": holder}
        self._server.call("upsert", self._collection, [row])

    def _read(self, number: int) -> tuple[int, str]:
        """Return beat and holder of a lease; one whose holder is gone in this moment has ended."""
        collection = self._server.target(self._alias(number)) if number else None
        if collection is None:
            return _ENDED, ""
        rows = self._server.query(collection, "row == 0", ["number", "body"])
        return (rows[0]["number"], rows[0]["body"]) if rows else (_ENDED, "")

    def _alias(self, number: int) -> str:
        return f"{self._index}_writer_{number}"

    def _highest(self) -> int:
        form = re.compile(rf"{re.escape(self._index)}_writer_(\d+)")
        found = (form.fullmatch(alias) for alias in self._server.aliases())
        return max((int(match[1]) for match in found if match), default=0)

    def _collections(self) -> list[str]:
        form = re.compile(rf"{re.escape(self._index)}_lease_[0-9a-f]{{16}}")
        return [name for name in self._server.collections() if form.fullmatch(name)]


@contextmanager
def writer_lease(server: Server, index: str, wait: float, period: float = PERIOD) -> Iterator[Lease]:
    """Hold the lease of an index.

    Args:
        server: the server.
        index: name of the index.
        wait: seconds to wait for another writer.
        period: seconds without a beat after which a writer is taken for dead.

    Raises:
        IndexBusyError: another writer still holds it; the message names it.
        TorchnotesError: the server does not answer.
    """
    lease = Lease(server, index, period)
    try:
        lease.take(wait)
        yield lease
    finally:
        lease.end()

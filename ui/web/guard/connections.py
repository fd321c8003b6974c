"""Connections: none only waits, none is read beyond what its request is, and no sender has all of them."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ui.web.guard.senders import is_this_machine, sender_of

#: Seconds that the head of a request may take, counted from the connection or from its first byte.
HEAD_TIMEOUT = 10.0
#: Connections of one sender, other than this machine's, at a time; a page keeps one or two open.
MOST_OF_ONE = 100


class _FramedConnection(h11.Connection):
    """Does not read the body of requests without Content-Length.

    A chunked body can consist of any number of one-byte chunks, each of which costs as much as a long one.
    `Bodies` rejects such requests, and the connection is closed.
    """

    _unread = False

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event of the request."""
        if self._unread:
            return h11.NEED_DATA
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._unread = any(name == b"transfer-encoding" for name, _ in event.headers)
        return event

    def receive_data(self, data: bytes) -> None:
        """Add received data."""
        if not self._unread:
            super().receive_data(data)


class TimedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 protocol with limits; on its own, it waits and reads chunks without limit.

    Args:
        *args: see `H11Protocol`.
        **others: see `H11Protocol`.
    """

    _timer: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **others: Any) -> None:
        super().__init__(*args, **others)
        self.conn = _FramedConnection(h11.SERVER, self.conn._max_incomplete_event_size)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless the sender has too many connections."""
        super().connection_made(transport)
        if self._is_too_many():
            transport.close()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Process a part of a request.

        Args:
            data: received bytes.
        """
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._stop_waiting()
        elif self._has_no_request():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer.

        Args:
            exc: reason, None if it was closed normally.
        """
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_too_many(self) -> bool:
        address = self.client[0] if self.client else ""
        if is_this_machine(address):
            return False
        sender = sender_of(address)
        others: Any = self.connections
        same = sum(1 for each in others if each.client and sender_of(each.client[0]) == sender)
        return same > MOST_OF_ONE

    def _has_no_request(self) -> bool:
        cycle: Any = self.cycle
        return cycle is None or bool(cycle.response_complete)

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_TIMEOUT, self._give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if self._has_no_request():
            self.transport.close()

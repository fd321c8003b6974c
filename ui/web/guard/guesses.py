"""Slows down who guesses a password or a token."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from ui.web.guard.asgi import Message
from ui.web.guard.senders import sender_of

_FREE = 5  # wrong guesses before a sender has to wait
_LONGEST_WAIT = 300.0  # seconds
_SENDERS = 10_000  # remembered at most


class Guesses:
    """Counts the wrong guesses of each sender, who waits each time twice as long from the sixth on.

    Args:
        clock: returns monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, scope: Message) -> float:
        """Return the seconds that the sender of a request has to wait still.

        Args:
            scope: ASGI scope of the request.
        """
        wrong, last = self._wrong.get(_sender(scope), (0, 0.0))
        if wrong < _FREE:
            return 0.0
        return last + min(2.0 ** (wrong - _FREE), _LONGEST_WAIT) - self._clock()

    def count(self, scope: Message) -> None:
        """Count a wrong guess.

        Args:
            scope: ASGI scope of the request.
        """
        sender, now = _sender(scope), self._clock()
        wrong, last = self._wrong.pop(sender, (0, now))
        # Who waited a while after the longest wait begins anew.
        self._wrong[sender] = (1 if now - last > 2 * _LONGEST_WAIT else wrong + 1, now)
        if len(self._wrong) > _SENDERS:
            self._wrong.popitem(last=False)


def _sender(scope: Message) -> str:
    client = scope.get("client")
    return sender_of(str(client[0])) if client else ""

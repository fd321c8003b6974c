"""How many requests one sender may send."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from ui.web.guard.asgi import App, Message, Receive, Send, refuse
from ui.web.guard.senders import is_this_machine, sender_of

_PER_SECOND = 20.0
_AT_ONCE = 200.0  # a page that opens sends several
_SENDERS = 10_000  # remembered at most


class RateLimit:
    """Refuses what a sender sends faster than a page does (token bucket).

    Only POST requests count. Loopback addresses are exempt: they are the owner, or a proxy, behind which
    readers cannot be distinguished and which has its own limits.

    Args:
        app: next ASGI app.
        clock: returns monotonic seconds.
    """

    def __init__(self, app: App, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        client = scope.get("client")
        if scope["type"] != "http" or scope["method"] != "POST" or not client or self._take(str(client[0])):
            await self._app(scope, receive, send)
        else:
            line = f"your address sends more than {_PER_SECOND:.0f} requests a second; wait a moment"
            await refuse(send, 429, line, [(b"retry-after", b"1")])

    def _take(self, address: str) -> bool:
        if is_this_machine(address):
            return True
        sender, now = sender_of(address), self._clock()
        left, last = self._left.pop(sender, (_AT_ONCE, now))
        left = min(_AT_ONCE, left + (now - last) * _PER_SECOND)
        allowed = left >= 1
        self._left[sender] = (left - 1 if allowed else left, now)
        if len(self._left) > _SENDERS:
            self._left.popitem(last=False)
        return allowed

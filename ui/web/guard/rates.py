"""Limit on the request rate of each address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import ip_address

from ui.web.guard.asgi import App, Message, Receive, Send, refuse

_PER_SECOND = 20.0
_AT_ONCE = 200.0  # size of a burst; an opening page sends several requests
_ADDRESSES = 10_000  # maximum number remembered


class RateLimit:
    """Rejects requests of an address that are faster than a page sends them (token bucket).

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
        try:
            if ip_address(address.partition("%")[0]).is_loopback:
                return True
        except ValueError:  # a Unix socket has no address
            return True
        now = self._clock()
        left, last = self._left.pop(address, (_AT_ONCE, now))
        left = min(_AT_ONCE, left + (now - last) * _PER_SECOND)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        if len(self._left) > _ADDRESSES:
            self._left.popitem(last=False)
        return allowed

"""How many requests one address may send."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import ip_address

from ui.web.guard.asgi import App, Message, Receive, Send, refuse

_PER_SECOND = 20.0
_AT_ONCE = 200.0  # a page that opens sends several
_ADDRESSES = 10_000  # remembered at most


class RateLimit:
    """Refuses what an address sends faster than a page does (token bucket).

    Only requests that ask for work count. Addresses of this machine are not counted: they are its owner, or
    a proxy, behind which readers cannot be told apart and which limits them itself.

    Args:
        app: to be guarded.
        clock: seconds.
    """

    def __init__(self, app: App, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
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

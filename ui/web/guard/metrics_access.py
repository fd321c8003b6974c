"""Who may read the metrics: this machine, or who has the token or the password of the server."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable

from ui.web.guard.asgi import METRICS, App, Message, Receive, Send, header, plain_path, refuse
from ui.web.guard.guesses import Guesses
from ui.web.guard.senders import is_forwarded, is_this_machine

#: Key of the ASGI scope: the request has shown the token, and needs no password.
ADMITTED = "torchnotes.admitted"
_REFUSED = (
    "metrics are told to this machine, or with a token: set TORCHNOTES_METRICS_TOKEN for the server and send "
    "`Authorization: Bearer TOKEN`"
)


class MetricsAccess:
    """Refuses `/metrics` to others than this machine without the token; all else passes.

    Where the server has a password, this machine needs it as well, or the token: behind a proxy on the same
    machine, all requests come from it. Where it has none, a request that a proxy passed on is not from here.

    Args:
        app: next ASGI app, which asks for the password if there is one.
        token: token of the operator, "" for none.
        password: whether the server has a password.
        clock: returns monotonic seconds.
    """

    def __init__(
        self,
        app: App,
        *,
        token: str = "",
        password: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._token = token.encode()
        self._password = password
        self._guesses = Guesses(clock)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        if scope["type"] != "http" or plain_path(scope) != METRICS:
            await self._app(scope, receive, send)
            return
        kind, _, given = header(scope, "authorization").partition(" ")
        if kind.lower() == "bearer" and self._token:
            if (wait := self._guesses.wait(scope)) > 0:
                line = f"too many wrong tokens came from your address; try again in {wait:.0f} seconds"
                await refuse(send, 429, line, [(b"retry-after", f"{wait:.0f}".encode())])
            elif hmac.compare_digest(given.strip().encode("latin-1", "replace"), self._token):
                await self._app({**scope, ADMITTED: True}, receive, send)
            else:
                self._guesses.count(scope)
                await refuse(send, 401, "the token is wrong", [(b"www-authenticate", b"Bearer")])
        elif self._password or self._is_local(scope):
            await self._app(scope, receive, send)
        else:
            await refuse(send, 403, _REFUSED)

    def _is_local(self, scope: Message) -> bool:
        client = scope.get("client")
        return not is_forwarded(scope) and is_this_machine(str(client[0]) if client else "")

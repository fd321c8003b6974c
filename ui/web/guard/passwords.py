"""Password authentication with protection against guessing."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie

from ui.web.guard.asgi import ALIVE, READY, App, Message, Receive, Send, header, refuse
from ui.web.guard.guesses import Guesses
from ui.web.guard.metrics_access import ADMITTED

_COOKIE = "torchnotes-known"
_KNOWN_FOR = 12 * 3600  # seconds


class PasswordNeeded:
    """Requires a password (RFC 7617), also from programs.

    A sender that gave several wrong ones waits, each time twice as long, whatever it gives then. A browser
    that has given the right one before does not wait with it: it has a cookie that says so, which alone opens
    nothing.

    Args:
        app: next ASGI app.
        password: password required everywhere but at `/healthz` and `/readyz`, with any user name.
        clock: returns monotonic seconds.
    """

    def __init__(self, app: App, password: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._password = password.encode()
        self._key = secrets.token_bytes(32)
        self._clock = clock
        self._guesses = Guesses(clock)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        if scope["type"] == "lifespan" or scope.get("path") in (ALIVE, READY) or scope.get(ADMITTED):
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        given, known = header(scope, "authorization"), self._is_known(scope)
        if given and not known and (wait := self._guesses.wait(scope)) > 0:
            line = f"too many wrong passwords came from your address; try again in {wait:.0f} seconds"
            await refuse(send, 429, line, [(b"retry-after", f"{wait:.0f}".encode())])
        elif not self._right(given):
            if given:
                self._guesses.count(scope)
            challenge = (b"www-authenticate", b'Basic realm="torchnotes", charset="UTF-8"')
            await refuse(send, 401, "a password is needed; give any user name with it", [challenge])
        else:
            await self._app(scope, receive, send if known else self._remembering(send))

    def _right(self, given: str) -> bool:
        kind, _, encoded = given.partition(" ")
        if kind.lower() != "basic":
            return False
        try:
            _, _, password = base64.b64decode(encoded, validate=True).partition(b":")
        except (binascii.Error, ValueError):
            return False
        return hmac.compare_digest(password, self._password)

    def _is_known(self, scope: Message) -> bool:
        cookies: SimpleCookie = SimpleCookie()
        try:
            cookies.load(header(scope, "cookie"))
        except CookieError:
            return False
        until, _, signature = cookies[_COOKIE].value.partition(".") if _COOKIE in cookies else ("", "", "")
        if not (until.isascii() and until.isdigit() and len(until) < 20):
            return False
        return (
            hmac.compare_digest(signature.encode(), self._sign(until).encode()) and int(until) > self._clock()
        )

    def _sign(self, until: str) -> str:
        return hmac.new(self._key, until.encode(), hashlib.sha256).hexdigest()

    def _remembering(self, send: Send) -> Send:
        until = str(int(self._clock()) + _KNOWN_FOR)
        cookie = (
            f"{_COOKIE}={until}.{self._sign(until)}; Path=/; Max-Age={_KNOWN_FOR}; HttpOnly; SameSite=Strict"
        )

        async def remembered(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"set-cookie", cookie.encode())]
            await send(message)

        return remembered

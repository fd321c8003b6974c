"""Password authentication with protection against guessing."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie

from ui.web.guard.asgi import ALIVE, App, Message, Receive, Send, header, refuse
from ui.web.guard.senders import sender_of

_COOKIE = "torchnotes-known"
_KNOWN_FOR = 12 * 3600  # seconds
_FREE = 5  # wrong passwords before a sender has to wait
_LONGEST_WAIT = 300.0  # seconds
_SENDERS = 10_000  # remembered at most


class PasswordNeeded:
    """Requires a password (RFC 7617), also from programs.

    A sender that gave several wrong ones waits, each time twice as long, whatever it gives then. A browser
    that has given the right one before does not wait with it: it has a cookie that says so, which alone opens
    nothing.

    Args:
        app: next ASGI app.
        password: password required everywhere but at `/healthz`, with any user name.
        clock: returns monotonic seconds.
    """

    def __init__(self, app: App, password: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._password = password.encode()
        self._key = secrets.token_bytes(32)
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        if scope["type"] == "lifespan" or scope.get("path") == ALIVE:
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        sender = _sender(scope)
        given, known = header(scope, "authorization"), self._is_known(scope)
        if given and not known and (wait := self._wait(sender)) > 0:
            line = f"too many wrong passwords came from your address; try again in {wait:.0f} seconds"
            await refuse(send, 429, line, [(b"retry-after", f"{wait:.0f}".encode())])
        elif not self._right(given):
            if given:
                self._count(sender)
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

    def _wait(self, sender: str) -> float:
        """Return the seconds that a sender has to wait still."""
        wrong, last = self._wrong.get(sender, (0, 0.0))
        if wrong < _FREE:
            return 0.0
        return last + min(2.0 ** (wrong - _FREE), _LONGEST_WAIT) - self._clock()

    def _count(self, sender: str) -> None:
        now = self._clock()
        wrong, last = self._wrong.pop(sender, (0, now))
        # Who waited a while after the longest wait begins anew.
        self._wrong[sender] = (1 if now - last > 2 * _LONGEST_WAIT else wrong + 1, now)
        if len(self._wrong) > _SENDERS:
            self._wrong.popitem(last=False)

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


def _sender(scope: Message) -> str:
    client = scope.get("client")
    return sender_of(str(client[0])) if client else ""

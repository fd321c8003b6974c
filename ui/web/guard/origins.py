"""Protection against requests from other origins.

Browsers let any page send requests to any server, so the server has to reject those of other pages. It checks
the name in `Host` (against DNS rebinding), `Sec-Fetch-Site` (which a page cannot change) and `Origin`.
Programs send neither of the last two and are let through: they could send any header anyway.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from ui.web.guard.asgi import App, Message, Receive, Send, header, plain_path, refuse

#: Addresses that can be reached from this machine only.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PORTS = {"http": 80, "https": 443}
#: Paths that other pages may link to; all others are for the page itself.
_LINKED = ("/",)
_UNKNOWN_NAME = (
    "this server does not answer to that name; its operator adds one: `torchnotes web --name NAME`"
)
_FOREIGN = "a page of another origin sent this; open this server's own page and ask there"


def own_names(host: str, password: str, names: Sequence[str] = ()) -> frozenset[str] | None:
    """Return the names that a server answers to in addition to addresses; None for all.

    A foreign page can make its own name resolve to this server, and would then have the same origin. With a
    password this is useless, since a browser sends a password only to the name it was entered for.

    Args:
        host: address that the server listens on.
        password: password of the server, "" for none.
        names: additional names given by the operator.
    """
    if host in LOOPBACK:
        return frozenset({"localhost", *names})
    if password:
        return None
    machine = socket.gethostname().lower()
    short = machine.partition(".")[0]
    return frozenset({"localhost", host.lower(), machine, short, f"{short}.local", *map(str.lower, names)})


class KnownHosts:
    """Rejects requests for names other than the server's own.

    Args:
        app: next ASGI app.
        host: address that the server listens on; on a loopback address no other address is answered.
        names: see `own_names`.
    """

    def __init__(self, app: App, host: str, names: frozenset[str] | None) -> None:
        self._app = app
        self._alone = host in LOOPBACK
        self._names = names

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        if scope["type"] == "http" and self._names is not None and not self._known(_host(scope)):
            await refuse(send, 400, _UNKNOWN_NAME)
            return
        await self._app(scope, receive, send)

    def _known(self, host: tuple[str, int] | None) -> bool:
        if host is None or self._names is None:
            return False
        name = host[0]
        if name in self._names:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return str(address) in LOOPBACK if self._alone else True


class SameOrigin:
    """Rejects requests from pages of other origins, for all methods, including uploads and event streams.

    Args:
        app: next ASGI app.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        if scope["type"] == "websocket":  # the page uses none
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http" and not (_page_load(scope) or _own_page(scope)):
            await refuse(send, 403, _FOREIGN)
        else:
            await self._app(scope, receive, send)


def _page_load(scope: Message) -> bool:
    """Return whether a reader follows a link to the page, other than in a frame or by a form."""
    return (
        scope["method"] in ("GET", "HEAD")
        and header(scope, "sec-fetch-mode") == "navigate"
        and header(scope, "sec-fetch-dest") == "document"
        and not header(scope, "origin")
        and plain_path(scope) in _LINKED
    )


def _own_page(scope: Message) -> bool:
    """Return whether a request was sent by this server's page, or by a program."""
    # "same-site" means another port or subdomain, which is still another origin.
    if header(scope, "sec-fetch-site") not in ("", "same-origin", "none"):
        return False
    origin = header(scope, "origin")
    if not origin:
        return True
    sent = _split(origin)
    # It is here only where a proxy is believed; a page of another origin cannot send it without leave.
    forwarded = _split(f"//{header(scope, 'x-forwarded-host')}", sent)
    return sent is not None and sent in (_host(scope, sent), forwarded)


def _host(scope: Message, sent: tuple[str, int] | None = None) -> tuple[str, int] | None:
    """Return name and port that a request is for, None if they are ambiguous."""
    given = header(scope, "host")
    return None if "," in given else _split(f"//{given}", sent)


def _split(address: str, sent: tuple[str, int] | None = None) -> tuple[str, int] | None:
    """Return name and port of an address; the default port is that of its scheme, or of `sent`."""
    try:
        parts = urlsplit(address)
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name or parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment:
        return None
    default = sent[1] if sent and sent[1] in _PORTS.values() else _PORTS["http"]
    return name.lower(), port or _PORTS.get(parts.scheme, default)

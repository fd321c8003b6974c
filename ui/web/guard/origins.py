"""Which names the server answers to, and which pages may send it requests.

A browser lets any page send requests to any server; only the server can tell that a page is not its own. What
is checked: the name in `Host` (against DNS rebinding), `Sec-Fetch-Site` (which a page cannot change) and
`Origin`. A program sends neither of the last two, and is let through: it could write any header anyway.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from ui.web.guard.asgi import App, Message, Receive, Send, header, plain_path, refuse

#: Addresses that only this machine reaches.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PORTS = {"http": 80, "https": 443}
#: Where a link on another page may lead; everything else is for the page itself.
_LINKED = ("/",)
_UNKNOWN_NAME = (
    "this server does not answer to that name; its operator adds one: `torchnotes web --name NAME`"
)
_FOREIGN = "a page of another origin sent this; open this server's own page and ask there"


def own_names(host: str, password: str, names: Sequence[str] = ()) -> frozenset[str] | None:
    """Return the names that a server answers to beside addresses; None for all.

    A page elsewhere can make its own name lead to this server, and would then be of its origin. Behind a
    password that gives it nothing, since a browser sends a password to the name it was typed for alone.

    Args:
        host: that it listens on.
        password: that it asks for; "" for none.
        names: further ones that the operator gave.
    """
    if host in LOOPBACK:
        return frozenset({"localhost", *names})
    if password:
        return None
    machine = socket.gethostname().lower()
    short = machine.partition(".")[0]
    return frozenset({"localhost", host.lower(), machine, short, f"{short}.local", *map(str.lower, names)})


class KnownHosts:
    """Refuses requests for other names than the server's own.

    Args:
        app: to be guarded.
        host: that the server listens on; on one of this machine alone no other address is answered to.
        names: see `own_names`.
    """

    def __init__(self, app: App, host: str, names: frozenset[str] | None) -> None:
        self._app = app
        self._alone = host in LOOPBACK
        self._names = names

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
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
    """Refuses what pages of other origins send, all methods, uploads and event streams included.

    Args:
        app: to be guarded.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "websocket":  # the page opens none
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http" and not (_page_load(scope) or _own_page(scope)):
            await refuse(send, 403, _FOREIGN)
        else:
            await self._app(scope, receive, send)


def _page_load(scope: Message) -> bool:
    """Return whether a reader follows a link to the page; a frame or a form is no such thing."""
    return (
        scope["method"] in ("GET", "HEAD")
        and header(scope, "sec-fetch-mode") == "navigate"
        and header(scope, "sec-fetch-dest") == "document"
        and not header(scope, "origin")
        and plain_path(scope) in _LINKED
    )


def _own_page(scope: Message) -> bool:
    """Return whether the page of this server sent a request, or a program did."""
    # "same-site" is another port or another name below the same domain: another origin all the same.
    if header(scope, "sec-fetch-site") not in ("", "same-origin", "none"):
        return False
    origin = header(scope, "origin")
    if not origin:
        return True
    sent = _split(origin)
    # A page of another origin cannot send the second header without being asked for leave, which it gets not.
    forwarded = _split(f"//{header(scope, 'x-forwarded-host')}", sent)
    return sent is not None and sent in (_host(scope, sent), forwarded)


def _host(scope: Message, sent: tuple[str, int] | None = None) -> tuple[str, int] | None:
    """Return name and port that a request is for, None where it does not say so in one plain way."""
    given = header(scope, "host")
    return None if "," in given else _split(f"//{given}", sent)


def _split(address: str, sent: tuple[str, int] | None = None) -> tuple[str, int] | None:
    """Return name and port of an address; without a port, that of its scheme, or of what was sent."""
    try:
        parts = urlsplit(address)
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name or parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment:
        return None
    default = sent[1] if sent and sent[1] in _PORTS.values() else _PORTS["http"]
    return name.lower(), port or _PORTS.get(parts.scheme, default)

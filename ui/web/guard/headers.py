"""Security headers: what a browser may load, and no access for other origins."""

from __future__ import annotations

import re
import secrets

from ui.web.guard.asgi import App, Header, Message, Receive, Send

# gradio compiles the `js` of its events, which needs 'unsafe-eval', and sets styles on elements, which needs
# 'unsafe-inline' for styles. Inline scripts need a nonce, and attributes such as onclick are not allowed.
_POLICY = (
    "default-src 'self'; "
    "script-src 'self' 'nonce-{nonce}' 'unsafe-eval' blob:; "
    "script-src-attr 'none'; "
    "style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; "
    "media-src 'self' data: blob:; "
    "font-src 'self' data:; "
    "connect-src 'self'; "
    "worker-src 'self' blob:; "
    "object-src 'none'; "
    "base-uri 'self'; "
    "form-action 'self'; "
    "frame-ancestors 'self'"
)
_HEADERS: tuple[Header, ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
#: gradio tells in the page, and MCP in answers, what these say of the server's address, whoever sent them.
_OF_PROXY = frozenset(b"x-forwarded-" + part for part in (b"host", b"port", b"prefix", b"proto", b"server"))
_SCRIPT = re.compile(rb"<script(?=[\s>])")


class SecurityHeaders:
    """Adds the headers, and removes those with which gradio allows other origins.

    Args:
        app: to be guarded.
        behind_proxy: a proxy says by which name and scheme readers reach the server. Nobody else is believed.
    """

    def __init__(self, app: App, *, behind_proxy: bool = False) -> None:
        self._app = app
        self._ignored = frozenset((b"x-gradio-server",)) | (frozenset() if behind_proxy else _OF_PROXY)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Handle a request.

        Args:
            scope: ASGI scope.
            receive: ASGI receive function.
            send: ASGI send function.
        """
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        policy = _POLICY.format(nonce=nonce).encode()
        page = _Page(nonce)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.get("headers", ())
                kept = [each for each in given if not each[0].lower().startswith(b"access-control-")]
                message["headers"] = [*kept, (b"content-security-policy", policy), *_HEADERS]
            for part in page.read(message):
                await send(part)

        headers = [each for each in scope["headers"] if each[0] not in self._ignored]
        await self._app({**scope, "headers": headers}, receive, guarded)


class _Page:
    """Adds the nonce to the scripts of an HTML page; other responses are not changed.

    All scripts are gradio's own: at this point the page contains nothing from documents or visitors.
    """

    def __init__(self, nonce: str) -> None:
        self._tag = f'<script nonce="{nonce}"'.encode()
        self._start: Message | None = None
        self._body = b""

    def read(self, message: Message) -> list[Message]:
        """Return the messages to send now."""
        if message["type"] == "http.response.start":
            kinds = [value for name, value in message["headers"] if name.lower() == b"content-type"]
            if any(kind.startswith(b"text/html") for kind in kinds):
                self._start = message
                return []
        if self._start is None:
            return [message]
        self._body += message.get("body", b"")
        if message.get("more_body", False):
            return []
        body = _SCRIPT.sub(self._tag, self._body)
        start, self._start = self._start, None
        others = [each for each in start["headers"] if each[0].lower() != b"content-length"]
        start["headers"] = [*others, (b"content-length", str(len(body)).encode())]
        return [start, {"type": "http.response.body", "body": body}]

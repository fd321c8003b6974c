"""The web page's server: the chat page, a route that tells it is alive, and what browsers may do with it."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from assistant.assemble import Workshop
from assistant.assistant import Assistant
from index.store import BuildProgress

if TYPE_CHECKING:
    from fastapi import FastAPI

_Message = MutableMapping[str, Any]
_App = Callable[
    [_Message, Callable[[], Awaitable[_Message]], Callable[[_Message], Awaitable[None]]], Awaitable[None]
]

#: Nothing is loaded from or sent to elsewhere, whatever a document holds.
POLICY = (
    "default-src 'self'; "
    "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; "
    "media-src 'self' data: blob:; "
    "font-src 'self' data:; "
    "worker-src 'self' blob:; "
    "object-src 'none'; "
    "base-uri 'self'; "
    "form-action 'self'; "
    "frame-ancestors 'self'"
)
_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


#: Addresses that only this machine reaches.
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Desk:
    """Keeps one assistant for all visitors, over the index as it is now.

    Args:
        workshop: makes the assistant.
        progress: of the first start, which may build the index.
    """

    def __init__(self, workshop: Workshop, progress: BuildProgress | None = None) -> None:
        self._workshop = workshop
        workshop.latest(progress)

    def assistant(self) -> Assistant:
        """The assistant; a new one when the index has changed since the last question."""
        return self._workshop.latest()

    def releases(self) -> list[str]:
        """The releases in the index, the newest first."""
        return [str(release) for release in reversed(self.assistant().retriever.releases)]

    def health(self) -> dict[str, object]:
        """What `/healthz` tells."""
        generation = self.assistant().retriever.generation
        return {
            "status": "ok",
            "generation": generation.name,
            "documents": len(generation.documents),
            "chunks": len(generation.chunks),
        }


def build_app(desk: Desk, host: str = "127.0.0.1") -> FastAPI:
    """The page at `/` and the state of the index at `/healthz`."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read when gradio is imported
    import gradio as gr
    from fastapi import FastAPI

    from ui.page import CSS, build_page, theme

    app = FastAPI(openapi_url=None)
    app.get("/healthz")(desk.health)
    guard(app, host)
    gr.mount_gradio_app(
        app,
        build_page(desk),
        path="/",
        server_name=host,
        footer_links=[],
        run_history=False,
        show_error=False,
        ssr_mode=False,
        pwa=False,
        theme=theme(),
        css=CSS,
    )
    return app


def guard(app: FastAPI, host: str) -> None:
    """Limit what browsers may do with an app; one for this machine alone answers its names only."""
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    if host in LOOPBACK:
        # A page elsewhere that makes its own name point here must not read the answers.
        names = [f"[{name}]" if ":" in name else name for name in LOOPBACK]
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=names)
    app.add_middleware(_Guarded)


def serve(desk: Desk, listening: socket.socket, host: str = "127.0.0.1") -> None:
    """Serve on a listening socket until interrupted."""
    import uvicorn

    config = uvicorn.Config(
        build_app(desk, host), log_level="warning", access_log=False, timeout_graceful_shutdown=1
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


class _Guarded:
    """Adds the headers that tell a browser what this page may load."""

    def __init__(self, app: _App) -> None:
        self._app = app

    async def __call__(
        self,
        scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        async def guarded(message: _Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        await self._app(scope, receive, guarded)

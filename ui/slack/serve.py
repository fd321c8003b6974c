"""Connections to Slack: Socket Mode, which needs no public address, and HTTP."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from typing import TYPE_CHECKING

from ui.slack.manifest import EVENTS

if TYPE_CHECKING:
    from slack_bolt import App
    from slack_bolt.adapter.socket_mode import SocketModeHandler
    from slack_sdk.socket_mode import SocketModeClient
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

PING = 5.0  # seconds between pings
_MOST = 1024 * 1024  # maximum bytes of a request


def connect(app: App, app_token: str, ping: float = PING) -> SocketModeHandler:
    """Connect by Socket Mode; lost connections are restored until the handler is closed.

    Args:
        app: the bolt app.
        app_token: app-level token.
        ping: seconds between pings.
    """
    from slack_bolt.adapter.socket_mode import SocketModeHandler

    handler = SocketModeHandler(app, app_token, web_client=app.client, ping_interval=ping)
    handler.connect()  # type: ignore[no-untyped-call]
    return handler


def leave(client: SocketModeClient) -> None:
    """Disconnect permanently; closing the client alone would wait for the next message.

    Waits for a reconnection in progress, after which the client would reconnect again.

    Args:
        client: the Socket Mode client.
    """
    settled = client.connect_operation_lock.acquire(timeout=PING)
    try:
        client.auto_reconnect_enabled = client.default_auto_reconnect_enabled = False
        client.current_session_state.terminated = True
        session = client.current_session
        if session is not None and session.sock is not None:
            with contextlib.suppress(OSError):  # it is closed already
                session.sock.shutdown(socket.SHUT_RDWR)
        client.disconnect()
    finally:
        if settled:
            client.connect_operation_lock.release()


def until_stopped() -> None:
    """Wait for Ctrl+C or SIGTERM."""
    stopped = threading.Event()
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    with contextlib.suppress(KeyboardInterrupt):
        stopped.wait()


def http_app(app: App) -> Starlette:
    """Create a web application for Slack's requests, which must be signed and no older than five minutes.

    Args:
        app: the bolt app.
    """
    from slack_bolt.adapter.starlette.handler import to_bolt_request, to_starlette_response
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import JSONResponse, PlainTextResponse
    from starlette.routing import Route

    async def events(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _MOST:
                return PlainTextResponse("too large", 413)
        try:
            asked = to_bolt_request(request, body)
        except UnicodeDecodeError:
            return PlainTextResponse("no UTF-8", 400)
        # In a thread, because bolt blocks until the acknowledgement.
        return to_starlette_response(await run_in_threadpool(app.dispatch, asked))

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    return Starlette(routes=[Route(EVENTS, events, methods=["POST"]), Route("/healthz", health)])


def serve_http(app: App, listening: socket.socket) -> None:
    """Serve HTTP on a listening socket until interrupted.

    Args:
        app: the bolt app.
        listening: the listening socket.
    """
    import uvicorn

    config = uvicorn.Config(
        http_app(app), log_level="warning", log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])

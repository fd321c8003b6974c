"""Connections to Slack: the web socket that needs no public address, and HTTP for those who have one."""

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

PING = 5.0  # seconds between looks at the connection
_MOST = 1024 * 1024  # bytes of a request


def connect(app: App, app_token: str, ping: float = PING) -> SocketModeHandler:
    """Connect by Socket Mode; what is lost is connected anew until the handler is closed.

    Args:
        app: takes what comes.
        app_token: opens the socket.
        ping: seconds between looks at the connection.
    """
    from slack_bolt.adapter.socket_mode import SocketModeHandler

    handler = SocketModeHandler(app, app_token, web_client=app.client, ping_interval=ping)
    handler.connect()  # type: ignore[no-untyped-call]
    return handler


def leave(client: SocketModeClient) -> None:
    """Disconnect for good: to close the client alone would wait for Slack's next word.

    A connection that is being made anew is waited for: when it is made, the client reconnects again.
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
    """Wait for Ctrl+C or the end of the process."""
    stopped = threading.Event()
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    with contextlib.suppress(KeyboardInterrupt):
        stopped.wait()


def http_app(app: App) -> Starlette:
    """A web application for Slack's requests: proved by their signature, and no older than five minutes."""
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
        # In a thread: bolt waits for the acknowledgement, and others must not.
        return to_starlette_response(await run_in_threadpool(app.dispatch, asked))

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    return Starlette(routes=[Route(EVENTS, events, methods=["POST"]), Route("/healthz", health)])


def serve_http(app: App, listening: socket.socket) -> None:
    """Serve on a listening socket until interrupted."""
    import uvicorn

    config = uvicorn.Config(http_app(app), log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])

"""A server of the page, as a user starts it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from uvicorn import Server

from ui.cli.commands.web import listen
from ui.shared.app_state import AppState
from ui.web.server import Access, build_app, server_config


@contextmanager
def serving(
    app_state: AppState, access: Access | None = None, listening: socket.socket | None = None
) -> Iterator[str]:
    """Serve an app state from a thread; the address.

    Args:
        app_state: to serve.
        access: who reaches it.
        listening: a socket that listens already; None: a free port of this machine.
    """
    taken = listening or listen("127.0.0.1", 0)
    made: Future[Server] = Future()

    async def run() -> None:
        try:  # gradio makes an event loop of its own, and leaves it open, where none is running
            config = server_config(build_app(app_state, access), access)
        except BaseException as error:
            made.set_exception(error)
            raise
        made.set_result(Server(config))
        await made.result().serve(sockets=[taken])

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    server = made.result(timeout=60)
    try:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        taken.close()

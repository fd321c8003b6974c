"""A real HTTP server on this machine, which runs as long as a `with` block."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar

_Server = TypeVar("_Server", bound="LocalServer")


class LocalServer:
    """Serves requests in threads.

    Args:
        handler: of requests; its `served` is this server.
    """

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._handler = handler

    def __enter__(self: _Server) -> _Server:
        handler = type("Handler", (self._handler,), {"served": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_port}"

"""A model hub for tests: it speaks the part of the Hugging Face protocol by which one file is downloaded."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler

from tests.local_server import LocalServer

REPOSITORY = "someone/Small-GGUF"
REVISION = "0123456789abcdef0123456789abcdef01234567"
FILE = "small.gguf"


class Hub(LocalServer):
    """Serves one file.

    Attributes:
        body: content that is sent.
        told_size: size that is told before, None for that of the content.
        told_sha256: checksum that is told before, "" for that of the content.
        requests: method, Range header and Authorization header of each request.
    """

    def __init__(self, body: bytes, *, told_size: int | None = None, told_sha256: str = "") -> None:
        super().__init__(_Handler)
        self.body = body
        self.told_size = told_size
        self.told_sha256 = told_sha256 or hashlib.sha256(body).hexdigest()
        self.requests: list[tuple[str, str | None, str | None]] = []

    @property
    def url(self) -> str:
        """Root of the hub."""
        return self.address


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: Hub

    def do_HEAD(self) -> None:
        self._answer(send=False)

    def do_GET(self) -> None:
        self._answer(send=True)

    def _answer(self, *, send: bool) -> None:
        hub, asked = self.served, self.headers.get("Range")
        hub.requests.append((self.command, asked, self.headers.get("Authorization")))
        if self.path != f"/{REPOSITORY}/resolve/{REVISION}/{FILE}":
            self._head(404, {"X-Error-Code": "EntryNotFound", "Content-Length": "0"})
            return
        start = int(re.fullmatch(r"bytes=(\d+)-", asked)[1]) if asked else 0  # type: ignore[index]
        body = hub.body[start:]
        size = len(hub.body) if hub.told_size is None else hub.told_size
        linked = {"X-Linked-Size": str(size), "X-Linked-ETag": f'"{hub.told_sha256}"'}
        ranged = {"Content-Range": f"bytes {start}-{len(hub.body) - 1}/{len(hub.body)}"} if asked else {}
        length = {"Content-Length": str(len(body)), "ETag": '"plain"'}
        self._head(206 if asked else 200, {"X-Repo-Commit": REVISION, **linked, **ranged, **length})
        if send:
            with suppress(ConnectionError):  # an interrupted client
                self.wfile.write(body)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        return

"""Requests to the Web API as plain values, and replies to them."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any, Protocol
from urllib.parse import parse_qs

Json = dict[str, Any]


class Replies(Protocol):
    """What replies to requests."""

    def reply(self, method: str, sent: Json, token: str) -> tuple[int, Mapping[str, str], Json]:
        """Status, headers and body for what was sent to a method with a token; status 0: none of them."""

    def file(self, name: str, token: str) -> tuple[int, bytes]:
        """Status and bytes of a file; status 0: neither."""


class Handler(BaseHTTPRequestHandler):
    """Hands requests to a Slack."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet: a second would wait for the word on the first
    slack: Replies

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        sent: Json = {}
        if raw.startswith("{"):
            sent = json.loads(raw)
        elif raw:
            sent = {name: values[0] for name, values in parse_qs(raw).items()}
            for name in ("blocks", "view"):
                if name in sent:
                    sent[name] = json.loads(sent[name])
        method = self.path.partition("?")[0].strip("/").removeprefix("api/")
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        status, headers, body = self.slack.reply(method, sent, token)
        if not status:
            self._drop()
            return
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        name = self.path.removeprefix("/files/")
        if name == self.path:
            self.do_POST()
            return
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        status, data = self.slack.file(name, token)
        if not status:
            self._drop()
            return
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        return

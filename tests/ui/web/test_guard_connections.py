"""Connections that only wait are closed, by a real server."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
from fastapi import FastAPI, Request
from uvicorn import Server

from ui.commands_web import listen
from ui.web.guard import PageFunctions, bodies, connections, guard
from ui.web.server import server_config


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """A server that waits for a part of a second where it would wait for ten."""
    monkeypatch.setattr(connections, "HEAD_TIMEOUT", 0.3)
    monkeypatch.setattr(bodies, "PART_TIMEOUT", 0.3)
    monkeypatch.setattr(bodies, "BODY_TIMEOUT", 0.6)
    app = FastAPI(openapi_url=None)

    @app.get("/healthz")
    async def healthz() -> str:
        return "ok"

    @app.post("/checks")
    async def checks(request: Request) -> str:
        return (await request.body()).decode()

    guard(app, PageFunctions(frozenset(), frozenset(), {}), host="127.0.0.1")
    taken = listen("127.0.0.1", 0)
    config = server_config(app)
    config.timeout_keep_alive = 1
    server = Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([taken])), daemon=True)
    thread.start()
    yield ("127.0.0.1", taken.getsockname()[1])
    server.should_exit = True
    thread.join(timeout=30)
    taken.close()


HEAD = (
    "POST /checks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n"
)


def said(address: tuple[str, int], *parts: str) -> str:
    """Send some bytes, never end the connection, and return all that comes until the server ends it."""
    with closing(socket.create_connection(address, timeout=20)) as peer:
        for part in parts:
            peer.sendall(part.encode())
        answer = b""
        while more := peer.recv(65536):
            answer += more
    return answer.decode()


def test_a_head_that_does_not_come_is_not_waited_for(address: tuple[str, int]) -> None:
    assert said(address) == ""
    assert said(address, "GET /healthz HTT") == ""
    assert said(address, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n") == ""


def test_the_head_of_a_second_request_is_not_waited_for_either(address: tuple[str, int]) -> None:
    first = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = said(address, first, "GET /healthz HTT")
    assert answer.startswith("HTTP/1.1 200") and answer.count("HTTP/1.1") == 1


def test_a_body_that_does_not_come_is_answered_so(address: tuple[str, int]) -> None:
    for parts in ((HEAD.format(10),), (HEAD.format(10), '{"a"')):
        answer = said(address, *parts)
        assert answer.startswith("HTTP/1.1 408") and "too slowly" in answer


def test_a_whole_request_is_answered(address: tuple[str, int]) -> None:
    whole = HEAD.format(7).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    assert said(address, whole, '{"a"', ":1}").startswith("HTTP/1.1 200")

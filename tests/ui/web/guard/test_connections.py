"""Connections that only wait are closed, by a real server."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import h11
import pytest
from fastapi import FastAPI, Request
from uvicorn import Server

from ui.cli.commands.web import listen
from ui.web.guard import PageFunctions, bodies, connections, guard
from ui.web.guard.asgi import Message, Receive, Send
from ui.web.server import Access, server_config


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
    whole = HEAD.format(14).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    assert said(address, whole, '{"question"', ":1}").startswith("HTTP/1.1 200")


@pytest.mark.parametrize("more", ["", "Content-Length: 2\r\n"])
@pytest.mark.parametrize("path", ["/checks", "/gradio_api/upload"])
def test_a_body_without_a_length_is_not_read(address: tuple[str, int], path: str, more: str) -> None:
    """Each chunk costs as much as a long one, so that megabytes of short ones would stop the server."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{more}Transfer-Encoding: chunked\r\n\r\n"
    with closing(socket.create_connection(address, timeout=20)) as peer:
        peer.sendall(head.encode() + b"1\r\n \r\n" * 1000)
        answer = b""
        try:
            while part := peer.recv(65536):
                answer += part
        except ConnectionResetError:  # what was sent beyond the head was never read
            pass
    assert answer.startswith(b"HTTP/1.1 411") and answer.count(b"HTTP/1.1") == 1


def test_chunks_are_not_parsed(address: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    read = connections._FramedConnection.next_event

    def counted(self: connections._FramedConnection) -> object:
        event = read(self)
        taken.append(isinstance(event, h11.Data))
        return event

    monkeypatch.setattr(connections._FramedConnection, "next_event", counted)
    test_a_body_without_a_length_is_not_read(address, "/checks", "")
    assert sum(taken) == 0 and len(taken) < 50


def test_one_address_does_not_take_all_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        client = ("192.0.2.1", 1)

    protocol: Any = connections.TimedProtocol.__new__(connections.TimedProtocol)
    protocol.connections = {Other() for _ in range(connections.MOST_OF_ONE + 1)}
    for address, many in (("192.0.2.1", True), ("192.0.2.2", False), ("127.0.0.1", False), ("", False)):
        protocol.client = (address, 1)
        assert protocol._is_too_many() == many


@pytest.mark.parametrize("behind_proxy", [False, True])
def test_the_address_is_that_of_the_connection_unless_a_proxy_tells_it(behind_proxy: bool) -> None:
    """A sender that chooses its address neither waits after wrong passwords nor keeps to the rates."""
    seen: list[str] = []

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        seen.append(scope["client"][0])

    config = server_config(FastAPI(openapi_url=None), Access(behind_proxy=behind_proxy))
    config.app = app
    config.load()
    scope = {"type": "http", "client": ("127.0.0.1", 1), "headers": [(b"x-forwarded-for", b"10.0.0.7")]}
    asyncio.run(config.loaded_app(scope, None, None))
    assert seen == ["10.0.0.7" if behind_proxy else "127.0.0.1"]

"""Servers on this machine: found at their ports, and whatever else listens there does no harm."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

import pytest

from assistant.llm import discovery
from assistant.llm.discovery import FoundServer, find_servers, model_names
from tests.assistant.model_server import ModelServer

Send = Callable[[bytes], None]
LIST = json.dumps({"data": [{"id": "evil"}]}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@contextmanager
def listening(answer: Callable[[Send], None]) -> Iterator[int]:
    """A port where one answer is given to everybody."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        connection.recv(65536)
                        answer(connection.sendall)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def drip(send: Send) -> None:
    send(HEAD + b"\r\n")
    for _ in range(200):
        send(b" ")
        time.sleep(0.05)


def flood(send: Send) -> None:
    send(HEAD + b"\r\n")
    while True:
        send(b" " * 65536)


def whole(body: bytes, head: bytes = HEAD) -> Callable[[Send], None]:
    return lambda send: send(head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)


HOSTILE: dict[str, Callable[[Send], None]] = {
    "drip": drip,
    "flood": flood,
    "page": whole(b"<p>Hello</p>"),
    "another list": whole(b'{"jobs": []}'),
    "deep": whole(b'{"data": ' + b"[" * 100000),
    "redirect": whole(LIST, b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/v1/models\r\n"),
    "refusal": whole(LIST, b"HTTP/1.1 401 Unauthorized\r\n"),
    "bomb": whole(gzip.compress(LIST + b" " * 10_000_000), HEAD + b"Content-Encoding: gzip\r\n"),
    "no http": lambda send: send(b"SSH-2.0-OpenSSH\r\n"),
    "nothing": lambda send: None,
}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "_PATIENCE", 0.5)


@pytest.mark.usefixtures("quick")
def test_servers_are_found_at_their_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(models=["qwen3:4b", "llama3"]) as ollama, ModelServer(models=[]) as vllm:
        ports = {name: urlsplit(server.url).port for name, server in (("Ollama", ollama), ("vLLM", vllm))}
        monkeypatch.setattr(discovery, "PORTS", {"vLLM": ports["vLLM"], "Ollama": ports["Ollama"]})
        found = find_servers()
        assert found == [
            FoundServer("vLLM", vllm.url, ()),
            FoundServer("Ollama", ollama.url, ("llama3", "qwen3:4b")),
        ]
    assert find_servers() == []


@pytest.mark.usefixtures("quick")
def test_what_else_listens_there_is_no_server_and_costs_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with ExitStack() as stack, ModelServer(models=["qwen3:4b"]) as server:
        ports = {name: stack.enter_context(listening(answer)) for name, answer in HOSTILE.items()}
        monkeypatch.setattr(discovery, "PORTS", {**ports, "real": urlsplit(server.url).port})
        start = time.monotonic()
        assert [found.name for found in find_servers()] == ["real"]
        assert time.monotonic() - start < 5


def test_only_names_that_can_be_shown_are_models() -> None:
    ids = ["a", "a", "", " b", "c\x1b[31m", "x" * 201, 5, None, ["d"]]
    listed = {"data": [*({"id": id_} for id_ in ids), "e", {}]}
    assert model_names(json.dumps(listed).encode()) == ("a",)
    assert len(model_names(json.dumps({"data": [{"id": f"m{n}"} for n in range(999)]}).encode()) or ()) == 200
    assert model_names(b'{"object": "list", "data": null}') == ()
    assert model_names(b"[]") is None

"""Fetching over real sockets: redirects, limits, timeouts, and no way into the private network."""

from __future__ import annotations

import gzip
import ipaddress
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ingest.errors import SourceError
from ingest.fetch import IPAddress, fetch, is_public
from tests.rows import each_row

BODY = "# Notes\n\nPyTorch 中文。\n".encode()


class Handler(BaseHTTPRequestHandler):
    """Answers by path."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/ok":
            self.answer(200, BODY, {"Content-Type": "text/markdown; charset=utf-8"})
        elif path == "/gzip":
            self.answer(200, gzip.compress(BODY), {"Content-Encoding": "gzip", "Content-Type": "text/plain"})
        elif path == "/bomb":
            self.answer(200, gzip.compress(bytes(4_000_000)), {"Content-Encoding": "gzip"})
        elif path == "/cut-gzip":
            self.answer(200, gzip.compress(BODY)[:-9], {"Content-Encoding": "gzip"})
        elif path == "/two-gzips":
            self.answer(200, 2 * gzip.compress(BODY), {"Content-Encoding": "gzip"})
        elif path == "/to":
            self.answer(302, b"", {"Location": self.path.partition("?")[2]})
        elif path == "/endless":
            self.stream(b"x" * 65536)
        elif path == "/drip":
            self.stream(b"x", pause=0.05)
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"short")
        else:
            self.answer(404, b"", {})

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, chunk: bytes, pause: float = 0.0) -> None:
        self.send_response(200)
        self.end_headers()
        stopped = threading.Event()
        try:
            for _ in range(2_000):
                self.wfile.write(chunk)
                stopped.wait(pause)
        except OSError:
            return  # the reader hung up, as it should

    def log_message(self, format: str, *args: object) -> None:
        return


def loopback_only(address: IPAddress) -> bool:
    """Stands for the public internet in these tests: 127.0.0.1 and nothing else."""
    return str(address) == "127.0.0.1"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()
    thread.join()


@pytest.mark.parametrize("path", ["/ok", "/gzip", "/to?/to?/ok", "/ok?q=中文 x#part"])
def test_a_page_is_read(server: str, path: str) -> None:
    page = fetch(server + path, permitted=loopback_only)
    assert page.body == BODY
    assert page.media_type in ("text/markdown", "text/plain")
    assert page.url.startswith(server)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/missing", "answered 404 Not Found"),
        ("/endless", "longer than 1 MB"),
        ("/bomb", "longer than 1 MB"),
        ("/cut", "connection failed"),
        ("/cut-gzip", "gzip it was sent as is not whole"),
        ("/two-gzips", "gzip it was sent as is not whole"),
        ("/to?/to?/to?/to?/to?/to?/ok", "more than 5 redirects"),
        ("/to?file:///etc/passwd", "redirected to file:.*only http"),
        (
            "/to?http://127.0.0.2:1/",
            "redirected to http://127.0.0.2:1/: .* private or local address 127.0.0.2",
        ),
        ("/to?http://169.254.169.254/latest/", "private or local address 169.254.169.254"),
        ("/to?http://[::1]/", "private or local address ::1"),
        ("/to?http://[", r"redirected to http://\[, which is not a web address"),
    ],
)
def test_a_bad_answer_is_one_line(server: str, path: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        fetch(server + path, permitted=loopback_only, max_bytes=1024 * 1024)
    assert "\n" not in str(caught.value)


def test_a_name_is_resolved_once_and_the_address_that_was_checked_is_asked(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(server.rpartition(":")[2])
    answers = iter(["127.0.0.1", "127.0.0.2"])  # the second would be refused: nothing listens there

    def rebinding(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        address = next(answers) if host == "rebinds.example" else host
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    page = fetch(f"http://rebinds.example:{port}/ok", permitted=loopback_only)
    assert page.body == BODY and next(answers) == "127.0.0.2"


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, 80)) for a in ("8.8.8.8", "192.168.0.7")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(
        SourceError, match=r"two-faced\.example is the private or local address 192\.168\.0\.7"
    ):
        fetch("http://two-faced.example/")


def test_a_name_with_many_silent_addresses_takes_no_longer_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever owns a name may give it a hundred addresses that never answer."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"8.8.8.{last}", 80)) for last in range(1, 101)]
    asked: list[float] = []

    def silent(address: tuple[str, int], timeout: float) -> socket.socket:
        asked.append(timeout)
        threading.Event().wait(timeout)
        raise TimeoutError

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_connection", silent)
    with pytest.raises(SourceError, match=r"no connection within 0\.2 s"):
        fetch("http://many-sided.example/", timeout=0.2)
    assert sum(asked) < 0.3


def test_a_server_that_drips_is_given_up(server: str) -> None:
    with pytest.raises(SourceError, match=r"not complete within 0\.3 s|no answer within 0\.3 s"):
        fetch(f"{server}/drip", permitted=loopback_only, timeout=0.3)


def test_a_server_that_says_nothing_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(SourceError, match=r"within 0\.2 s"):
            fetch(address, permitted=loopback_only, timeout=0.2)


def test_a_closed_port_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(SourceError, match=r"cannot connect to 127\.0\.0\.1"):
        fetch(f"http://127.0.0.1:{port}/", permitted=loopback_only)


@each_row(
    ("url", "message"),
    [
        ("ftp://a.b/c", "only http:// and https://"),
        ("http://", "only http:// and https://"),
        ("http://user:secret@a.b/", "user name or password"),
        ("http://a.b:99999/", "not a web address"),
        ("http://localhost:1/", "private or local address"),
        ("http://127.1/", "private or local address 127.0.0.1"),
        ("http://no-such-host.invalid/", "not known"),
    ],
)
def test_bad_addresses_are_refused(url: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        fetch(url)


@each_row(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700:4700::1111", True),
        ("10.0.0.1", False),
        ("192.168.1.1", False),
        ("172.16.0.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
        ("2002:7f00:1::", False),
        ("::", False),
        ("::127.0.0.1", False),
        ("::8.8.8.8", False),
        ("::ffff:0:127.0.0.1", False),
        ("64:ff9b:1::1", False),
        ("fec0::1", False),
        ("3fff::1", False),
        ("5f00::1", False),
        ("100:0:0:1::1", False),
        ("192.0.0.192", False),
        ("::ffff:192.0.0.192", False),
        ("2002:c000:c0::", False),
        ("168.63.129.16", False),
        ("64:ff9b::a83f:8110", False),
    ],
)
def test_public_addresses_are_told_from_private_ones(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) is public

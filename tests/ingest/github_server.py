"""A server of this machine that speaks GitHub's releases API and has a blog, and can be told to misbehave."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from corpus.catalog import CatalogEntry

REPOSITORY = "pytorch/pytorch"
LIST = f"/api/repos/{REPOSITORY}/releases"


@dataclass(frozen=True)
class Said:
    """What the server says instead; `cut` ends the connection within the body."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    cut: bool = False


@dataclass
class Site:
    """What the server has, what it was asked, and what it says first at a path.

    Attributes:
        root: its address, and `api` that of its API.
        releases: of the API, newest first.
        pages: HTML by path.
        page_size: how many releases a page of the list has, whatever is asked for.
        scripts: by path, with or without its query, answers that come before the real one.
        validators: whether ETags are sent and looked at.
        asked: path with query and headers of each request, names in lower case.
    """

    root: str
    releases: list[dict[str, object]] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    page_size: int = 100
    scripts: dict[str, deque[Said]] = field(default_factory=dict)
    validators: bool = True
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def api(self) -> str:
        return f"{self.root}/api"

    def script(self, path: str, *said: Said) -> None:
        """Say these one after the other before the real answer."""
        self.scripts.setdefault(path, deque()).extend(said)

    def paths(self) -> list[str]:
        """The paths that were asked for, and forget them."""
        paths = [path.partition("?")[0] for path, _ in self.asked]
        self.asked.clear()
        return paths

    def answer(self, target: str, headers: Mapping[str, str]) -> Said:
        path = urlsplit(target).path
        for scripted in (target, path):
            if self.scripts.get(scripted):
                return self.scripts[scripted].popleft()
        found: dict[str, str] = {}
        if path == LIST:
            number = int(parse_qs(urlsplit(target).query).get("page", ["1"])[0])
            first = (number - 1) * self.page_size
            body = json.dumps(self.releases[first : first + self.page_size]).encode()
            found["Content-Type"] = "application/json; charset=utf-8"
            if first + self.page_size < len(self.releases):
                following = f"{self.root}{LIST}?per_page=100&page={number + 1}"
                found["Link"] = f'<{following}>; rel="next", <{following}>; rel="last"'
        elif path in self.pages:
            body = self.pages[path].encode()
            found["Content-Type"] = "text/html; charset=utf-8"
        else:
            return Said(404)
        etag = f'W/"{hashlib.sha256(body).hexdigest()[:12]}"'
        if self.validators:
            found["ETag"] = etag
            if headers.get("if-none-match") == etag:
                return Said(304, found)
        return Said(200, found, body)


def release(tag: str, *notes: str, name: str = "") -> dict[str, object]:
    """A release as the API gives it."""
    return {
        "tag_name": tag,
        "name": name or f"PyTorch {tag.removeprefix('v')} Release",
        "html_url": f"https://github.com/{REPOSITORY}/releases/tag/{tag}",
        "published_at": "2024-07-24T18:39:34Z",
        "body": "# Highlights\n\n" + "\n\n".join(notes or (f"Something is new in {tag}.",)),
    }


def post(title: str, *prose: str) -> str:
    """A page with an article."""
    paragraphs = "".join(f"<p>{line}</p>" for line in prose)
    return f"<!doctype html><html><body><article><h1>{title}</h1>{paragraphs}</article></body></html>"


def notes_entry(version: str) -> CatalogEntry:
    """The release notes of a release, as the catalogue lists them."""
    return CatalogEntry(
        id=f"release-notes-{version}-en",
        release=version,
        kind="release-notes",
        language="en",
        date=None,
        title=f"PyTorch {version}.0 Release Notes",
        url=f"https://github.com/{REPOSITORY}/releases/tag/v{version}.0",
        licence="BSD-3-Clause",
    )


def post_entry(version: str, url: str, *, language: str = "en", day: date | None = None) -> CatalogEntry:
    """A post about a release, as the catalogue lists it."""
    title = f"PyTorch {version} 发布博客" if language == "zh" else f"PyTorch {version} Release Blog"
    return CatalogEntry(
        f"blog-{version}-{language}", version, "blog", language, day, title, url, "not stated"
    )


@contextmanager
def serve() -> Iterator[Site]:
    """A site on a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            site.asked.append((self.path, headers))
            said = site.answer(self.path, headers)
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            if said.status != 304:
                self.send_header("Content-Length", str(len(said.body) + 1000 * said.cut))
            self.end_headers()
            self.wfile.write(said.body)

        def log_message(self, format: str, *args: object) -> None:
            return

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = Site(f"http://127.0.0.1:{httpd.server_port}")
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


class Clock:
    """Time that passes only when it is slept, and a little with every look."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        self.time += 0.001
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds

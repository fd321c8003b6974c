"""What the tests of the downloading share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ingest.github_server import Clock, Site, serve


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server of its own, reached without the proxies of the environment."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    with serve() as made:
        yield made


@pytest.fixture
def clock() -> Clock:
    """Time that nobody has to wait for."""
    return Clock()

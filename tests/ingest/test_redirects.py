"""Where a server may lead: among the known hosts, or over TLS into the public internet."""

from __future__ import annotations

import pytest

from ingest.fetch import is_public
from ingest.redirects import redirected
from tests.rows import each_row

KNOWN = {"pytorch.org", "127.0.0.1:8080"}


@pytest.mark.parametrize(
    ("address", "location", "target"),
    [
        ("https://pytorch.org/a", "/b/#part", "https://pytorch.org/b/"),
        ("https://pytorch.org/a/", "b?q=1", "https://pytorch.org/a/b?q=1"),
        ("http://pytorch.org/a", "https://pytorch.org/a", "https://pytorch.org/a"),
        ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/b", "http://127.0.0.1:8080/b"),
        ("https://pytorch.org/a", "https://8.8.8.8/b", "https://8.8.8.8/b"),
    ],
    ids=["path", "relative", "to-tls", "known-private", "public"],
)
def test_followed(address: str, location: str, target: str) -> None:
    assert redirected(address, location, KNOWN, is_public) == target


@each_row(
    ("location", "message"),
    [
        ("", "no address"),
        ("ftp://pytorch.org/a", "no address"),
        ("https://user@pytorch.org/a", "no address"),
        ("https://[::1", "no address"),
        ("http://pytorch.org/a", "not encrypted"),
        ("http://8.8.8.8/a", "not encrypted"),
        ("https://127.0.0.1/a", "not in the public internet"),
        ("https://169.254.169.254/latest", "not in the public internet"),
        ("https://localhost/a", "not in the public internet"),
        ("https://[::1]/a", "not in the public internet"),
        ("https://no-such-host.invalid/a", "not in the public internet or not known there"),
        ("https://pytorch.org:99999/a", "no address"),
    ],
)
def test_not_followed(location: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        redirected("https://pytorch.org/a", location, KNOWN, is_public)

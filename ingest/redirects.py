"""Validation of redirects from addresses that are known in advance.

Unlike in `fetch.py`, the first address is not given by a user, so only redirects are checked. Outside the
known hosts they must use TLS and lead to the public internet. DNS rebinding has no effect, because no private
host has a valid certificate for the name.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Collection
from urllib.parse import urljoin, urlsplit

from ingest.fetch import IPAddress


def redirected(
    address: str, location: str, known: Collection[str], permitted: Callable[[IPAddress], bool]
) -> str:
    """Return the target of a redirect, without its fragment.

    Args:
        address: address that redirects.
        location: the Location header, relative or absolute.
        known: trusted hosts, with ports as in their addresses.
        permitted: returns whether another host may have a network address.

    Raises:
        ValueError: the redirect must not be followed; the message is one line.
    """
    try:
        target = urljoin(address, location).partition("#")[0]
        old, new = urlsplit(address), urlsplit(target)
        host, port = new.hostname or "", new.port or 443
    except ValueError as error:
        raise ValueError(f"it redirects to what is no address ({location!r})") from error
    if not location or not host or new.username is not None or new.scheme not in ("http", "https"):
        raise ValueError(f"it redirects to what is no address ({location!r})")
    if (old.scheme, new.scheme) == ("https", "http") or (new.scheme == "http" and new.netloc not in known):
        raise ValueError(f"it redirects to {target}, which is not encrypted, and that was not followed")
    if new.netloc not in known and not _is_permitted(host, port, permitted):
        raise ValueError(f"it redirects to {target}, which is not in the public internet or not known there")
    return target


def _is_permitted(host: str, port: int, permitted: Callable[[IPAddress], bool]) -> bool:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return all(permitted(ipaddress.ip_address(str(entry[4][0]).split("%")[0])) for entry in found)

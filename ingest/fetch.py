"""Fetching of user-supplied URLs with protection against server-side request forgery.

Each hop of a redirect chain is resolved once; the resulting addresses are checked, and the connection is made
to the checked address, so that DNS rebinding has no effect. Proxies of the environment are not used: behind a
proxy the address could not be checked.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from ingest.errors import SourceError

MAX_BYTES = 20 * 1024 * 1024
_MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_CHUNK = 64 * 1024
_LEAST_WAIT = 0.001  # seconds; 0 means not to wait at all

# Networks that some versions of Python consider global, and addresses where clouds give out secrets.
_LOCAL_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            "::/96",  # IPv4-compatible, once for tunnels
            "::ffff:0:0:0/96",  # IPv4-translated
            "64:ff9b:1::/48",  # translation inside a local network
            "fec0::/10",  # site-local
            "100:0:0:1::/64",  # a dummy prefix, RFC 9780
            "3fff::/20",  # documentation, RFC 9637
            "5f00::/16",  # segment routing inside a network, RFC 9602
            "192.0.0.0/24",  # for protocols; 192.0.0.192 is Oracle's metadata service
            "168.63.129.16/32",  # Azure's, in a network that is public otherwise
        ),
    )
)

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Page:
    """The response to a request.

    Attributes:
        url: address after redirects.
        media_type: media type, such as "text/html".
        body: body, at most `max_bytes` long.
    """

    url: str
    media_type: str
    body: bytes


class _FetchError(Exception):
    """Why a fetch failed, without the URL."""


def is_public(address: IPAddress) -> bool:
    """Return whether an address is on the public internet: not private, loopback, link-local or reserved.

    Args:
        address: IPv4 or IPv6 address; IPv4 addresses embedded in IPv6 ones are checked too.
    """
    if any(address in network for network in _LOCAL_NETWORKS):
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or _nat64(address)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def fetch(
    url: str,
    *,
    timeout: float = 20.0,
    max_bytes: int = MAX_BYTES,
    permitted: Callable[[IPAddress], bool] = is_public,
) -> Page:
    """Fetch a page over http or https, following at most five redirects.

    Args:
        url: the address.
        timeout: maximum seconds for each hop, from connecting to the last byte.
        max_bytes: maximum length of the body; longer ones are refused while streaming.
        permitted: returns whether a network address may be connected to.

    Raises:
        SourceError: the page cannot be fetched; the reason is one line.
    """
    current = url
    try:
        for _ in range(_MAX_REDIRECTS + 1):
            answer = _get(current, timeout, max_bytes, permitted)
            if isinstance(answer, Page):
                return answer
            current = _next(current, answer)
        raise _FetchError(f"more than {_MAX_REDIRECTS} redirects; give the final address")
    except _FetchError as failure:
        hop = "" if current == url else f"redirected to {current}: "
        raise SourceError(url, " ".join(f"{hop}{failure}".split())) from failure


def _next(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError as error:
        raise _FetchError(f"redirected to {location}, which is not a web address ({error})") from error


def _get(url: str, timeout: float, max_bytes: int, permitted: Callable[[IPAddress], bool]) -> Page | str:
    """Return the page, or the address it redirects to."""
    host, port, tls, target = _split(url)
    sock = _connect(host, port, timeout, permitted)
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        try:
            sock.shutdown(socket.SHUT_RDWR)  # wakes a blocked read, unlike close
        except OSError:
            return  # the other side has closed it

    # With a socket timeout alone, a server that sends single bytes could keep the connection open forever.
    watchdog = threading.Timer(timeout, expire)
    watchdog.daemon = True
    watchdog.start()
    try:
        connection = http.client.HTTPConnection(host, port, timeout=timeout)
        if tls:
            sock = ssl.create_default_context().wrap_socket(sock, server_hostname=host)
        connection.sock = sock
        connection.request("GET", target, headers=_headers(host, port, tls))
        with connection.getresponse() as response:
            answer = _read(response, max_bytes, url)
    except TimeoutError as error:
        raise _FetchError(f"no answer within {timeout:g} s; try later or save the page to a file") from error
    except (OSError, http.client.HTTPException, ValueError, zlib.error) as error:
        if not expired.is_set():
            raise _FetchError(f"the connection failed ({type(error).__name__}: {error})") from error
    finally:
        watchdog.cancel()
        sock.close()
    if expired.is_set():  # without Content-Length, a body cut off by the timeout looks complete
        raise _FetchError(f"not complete within {timeout:g} s; save the page to a file")
    return answer


def _split(url: str) -> tuple[str, int, bool, str]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _FetchError(f"not a web address ({error})") from error
    if parts.scheme not in ("http", "https") or not host:
        raise _FetchError("only http:// and https:// addresses are read")
    if parts.username is not None:
        raise _FetchError("an address with a user name or password is not read; leave it out")
    tls = parts.scheme == "https"
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        name = host if ":" in host else host.encode("idna").decode()
    except UnicodeError as error:
        raise _FetchError(f"not a host name: {host}") from error
    return name, port or (443 if tls else 80), tls, _percent_encoded(target)


def _connect(host: str, port: int, timeout: float, permitted: Callable[[IPAddress], bool]) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise _FetchError(f"the host {host} is not known; check the address and the network") from error
    addresses = list(dict.fromkeys(str(entry[4][0]).split("%")[0] for entry in found))
    for address in addresses:
        if not permitted(ipaddress.ip_address(address)):
            raise _FetchError(
                f"{host} is the private or local address {address}; only public ones are read unless "
                "private addresses are allowed (--allow-private, or allow_private=True in a program)"
            )
    failure: OSError | None = None
    until = time.monotonic() + timeout
    for number, address in enumerate(addresses):
        share = (until - time.monotonic()) / (len(addresses) - number)  # an owner may give a name many
        try:
            return socket.create_connection((address, port), timeout=max(share, _LEAST_WAIT))
        except OSError as error:
            failure = error
    if isinstance(failure, TimeoutError):
        raise _FetchError(f"no connection within {timeout:g} s; check address and network") from failure
    raise _FetchError(f"cannot connect to {host}:{port} ({failure})") from failure


def _headers(host: str, port: int, tls: bool) -> dict[str, str]:
    name = f"[{host}]" if ":" in host else host
    return {
        "Host": name if port == (443 if tls else 80) else f"{name}:{port}",
        "User-Agent": "torchnotes",
        "Accept": "text/html, text/markdown, text/plain, application/json;q=0.9, */*;q=0.1",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }


def _read(response: http.client.HTTPResponse, max_bytes: int, url: str) -> Page | str:
    location = response.getheader("Location")
    if response.status in _REDIRECTS and location:
        return location
    if response.status != 200:
        raise _FetchError(f"the server answered {response.status} {response.reason}; only 200 is read")
    too_long = _FetchError(f"it is longer than {max_bytes // (1024 * 1024)} MB; give a smaller page")
    encoding = (response.getheader("Content-Encoding") or "identity").lower()
    if encoding not in ("identity", "gzip"):
        raise _FetchError(f"it is compressed with {encoding}, unasked; save the page to a file")
    # Some servers always send gzip; the limit applies to the decompressed bytes.
    unpack = zlib.decompressobj(31) if encoding == "gzip" else None
    body = bytearray()
    while chunk := response.read(_CHUNK):
        body += unpack.decompress(chunk, max_bytes + 1) if unpack else chunk
        if len(body) > max_bytes:
            raise too_long
    if unpack and (not unpack.eof or unpack.unused_data):
        raise _FetchError("the gzip it was sent as is not whole; try later or save the page to a file")
    if response.length:
        raise http.client.IncompleteRead(bytes(body), response.length)
    return Page(url, response.headers.get_content_type(), bytes(body))


def _percent_encoded(target: str) -> str:
    # Addresses pasted from a browser can contain Chinese, which is not allowed in a request line.
    return "".join(
        c if "!" <= c <= "~" else "".join(f"%{byte:02X}" for byte in c.encode("utf-8", "replace"))
        for c in target
    )


def _nat64(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address in ipaddress.IPv6Network("64:ff9b::/96"):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None

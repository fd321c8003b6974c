"""A single HTTP request with limits on length and time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx  # slow to import: import this module lazily

from ingest.errors import SourceError, TorchnotesError

USER_AGENT = "torchnotes (reads PyTorch release notes for its user)"
TIMEOUT = 20.0  # seconds without a byte
DEADLINE = 120.0  # maximum seconds for a body


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A response.

    Attributes:
        status: status code.
        said: status code and reason phrase.
        headers: headers, with names in lower case.
        next: address of the next page of a list, "" if there is none.
        body: body, empty unless the status is 200.
    """

    status: int
    said: str
    headers: Mapping[str, str]
    next: str
    body: bytes


class TransientError(Exception):
    """A failure that may not occur again on another attempt.

    Args:
        reason: why the attempt failed.
        wait: seconds that the server asked to wait, None if it did not.
        reached: whether the server responded at all.

    Attributes:
        wait: as given.
        reached: as given.
    """

    def __init__(self, reason: str, *, wait: float | None = None, reached: bool = True) -> None:
        super().__init__(reason)
        self.wait = wait
        self.reached = reached


def open_client() -> httpx.Client:
    """Return a client that uses the proxies of the environment.

    Raises:
        TorchnotesError: a proxy cannot be used.
    """
    try:
        return httpx.Client(timeout=TIMEOUT, headers={"User-Agent": USER_AGENT})
    except (ImportError, ValueError, httpx.InvalidURL) as error:  # SOCKS package missing, invalid address
        raise TorchnotesError(
            f"the proxy of the environment cannot be used ({error}); correct or unset HTTPS_PROXY, "
            "HTTP_PROXY and ALL_PROXY"
        ) from error


def request(
    client: httpx.Client,
    address: str,
    headers: Mapping[str, str],
    *,
    max_bytes: int,
    clock: Callable[[], float],
) -> HttpResponse:
    """Send a GET request; redirects are not followed.

    Args:
        client: client from `open_client`.
        address: the address.
        headers: headers to send.
        max_bytes: maximum length of the body, compressed or not.
        clock: returns monotonic seconds.

    Raises:
        TransientError: there is no response, or an incomplete one.
        SourceError: the address is invalid, or the body too long.
    """
    host = urlsplit(address).netloc
    try:
        with client.stream("GET", address, headers=dict(headers)) as response:
            body = _body(address, response, max_bytes, clock) if response.status_code == 200 else b""
            following = response.links.get("next", {}).get("url")
            return HttpResponse(
                status=response.status_code,
                said=f"{response.status_code} {response.reason_phrase}".rstrip(),
                headers=dict(response.headers),
                next=urljoin(address, following) if following else "",
                body=body,
            )
    except httpx.TimeoutException as error:
        reached = not isinstance(error, httpx.ConnectTimeout)
        raise TransientError(f"no answer within {TIMEOUT:g} s", reached=reached) from error
    except (httpx.ConnectError, httpx.ProxyError) as error:
        raise TransientError(f"no connection to {host} ({error})", reached=False) from error
    except httpx.RequestError as error:
        raise TransientError(f"the connection failed ({error or type(error).__name__})") from error
    except (httpx.InvalidURL, ValueError) as error:
        raise SourceError(address, f"it is no address ({error})") from error


def _body(address: str, response: httpx.Response, max_bytes: int, clock: Callable[[], float]) -> bytes:
    huge = SourceError(address, f"it is longer than {max_bytes // (1024 * 1024)} MB and was not taken")
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > max_bytes:
        raise huge
    begun, body = clock(), bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > max_bytes:
            raise huge
        if clock() - begun > DEADLINE:
            raise TransientError(f"not complete within {DEADLINE:g} s")
    return bytes(body)

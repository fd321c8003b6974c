"""An HTTP client that limits its request rate, retries, and respects rate limits.

For addresses that are known in advance, such as those of the catalogue; `fetch.py` is for addresses given by
users. Proxies of the environment are used; `redirects.py` decides which redirects are followed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import TracebackType
from urllib.parse import urlsplit

import tenacity

from ingest.errors import SourceError, TorchnotesError
from ingest.fetch import MAX_BYTES, IPAddress, is_public
from ingest.rate_limits import asked_to_wait, until
from ingest.redirects import redirected
from ingest.request import HttpResponse, TransientError, open_client, request

PAUSE = 1.0  # seconds between two requests to a host
ATTEMPTS = 4  # maximum number of requests for a document
PATIENCE = 60.0  # maximum seconds to wait when a server asks for it
_MAX_REDIRECTS = 5
_PERMANENT = (301, 308)
_REDIRECTS = (*_PERMANENT, 302, 303, 307)
_GIVEN_UP = 2  # consecutive failures after which a host is given up; a failed connection counts as two
_LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Validators:
    """Validators of a stored copy, for a conditional request.

    Attributes:
        address: final address of the copy.
        etag: its ETag, "" if there was none.
        modified: its Last-Modified, "" if there was none.
    """

    address: str
    etag: str
    modified: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A successful response.

    Attributes:
        status: 200, or 304 if the copy is current.
        address: final address, after redirects.
        moved_to: the final address if all redirects were permanent, else "".
        headers: headers, with names in lower case.
        next: address of the next page of a list, "" if there is none.
        body: body, empty with status 304.
    """

    status: int
    address: str
    moved_to: str
    headers: Mapping[str, str]
    next: str
    body: bytes


class PoliteClient:
    """An HTTP client that asks one thing at a time and pauses between requests.

    Args:
        addresses: addresses that will be requested; redirects to their hosts are trusted.
        api: root of the API that `token` is for.
        token: sent to addresses below `api` only; "": none.
        on_wait: called with the host and the seconds before a wait that the server asked for.
        clock: returns monotonic seconds, for pauses and deadlines.
        now: returns the current time in seconds since 1970.
        sleep: waits for a number of seconds.
        permitted: returns whether redirects may lead to a network address of another host.
        max_bytes: maximum length of a body.

    Attributes:
        limited: whether a server refused further requests because of a rate limit.

    Raises:
        TorchnotesError: the token, or the proxy of the environment, cannot be used.
    """

    def __init__(
        self,
        addresses: Collection[str],
        *,
        api: str = "",
        token: str = "",
        on_wait: Callable[[str, float], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        permitted: Callable[[IPAddress], bool] = is_public,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._known = {urlsplit(address).netloc for address in (*addresses, api)} - {""}
        self._below = f"{api}/"
        self._token = _checked(token, api)
        self._on_wait, self._clock, self._now, self._sleep = on_wait, clock, now, sleep
        self._permitted, self._max_bytes = permitted, max_bytes
        self._asked: dict[str, float] = {}  # time of the last request to each host
        self._failures: dict[str, int] = {}  # consecutive failures of each host
        self._closed: dict[str, str] = {}  # hosts that are no longer asked, and why
        self.limited = False
        self._backoff = tenacity.wait_exponential_jitter(initial=1, max=30)
        self._client = open_client()

    def __enter__(self) -> PoliteClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def get(self, url: str, *, accept: str = "*/*", copy: Validators | None = None) -> Reply:
        """Request an address, retrying after transient failures.

        Args:
            url: the address.
            accept: value of the Accept header.
            copy: validators of a stored copy; the status is 304 if it is current.

        Raises:
            SourceError: there is no usable response; the reason is one line.
        """
        host = urlsplit(url).netloc
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(TransientError),
            stop=tenacity.stop_after_attempt(ATTEMPTS),
            wait=lambda state: self._backoff(state) if (asked := _asked_for(state)) is None else asked,
            before_sleep=self._tell,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            reply: Reply = retrying(self._follow, url, accept, copy)
        except TransientError as failure:
            self._failures[host] = self._failures.get(host, 0) + (1 if failure.reached else _GIVEN_UP)
            if self._failures[host] >= _GIVEN_UP:
                self._closed.setdefault(host, f"not asked for, since {host} failed before; try again later")
            reason = " ".join(str(failure).split())
            raise SourceError(url, f"{reason}, {ATTEMPTS} times; try again later") from failure
        self._failures[host] = 0
        return reply

    def _tell(self, state: tenacity.RetryCallState) -> None:
        asked = _asked_for(state)
        if asked is not None and self._on_wait:
            self._on_wait(urlsplit(state.args[0]).netloc, asked)

    def _follow(self, url: str, accept: str, copy: Validators | None) -> Reply:
        """Make one attempt, following redirects."""
        address, permanent = url, True
        for _ in range(_MAX_REDIRECTS + 1):
            headers = {"Accept": accept}
            if self._token and address.startswith(self._below):
                headers["Authorization"] = f"Bearer {self._token}"
            if copy and copy.address == address:
                named = {"If-None-Match": copy.etag, "If-Modified-Since": copy.modified}
                headers |= {name: value for name, value in named.items() if value}
            try:
                answer = self._ask(address, headers)
                if answer.status in (200, 304):
                    moved = address if permanent and address.rstrip("/") != url.rstrip("/") else ""
                    return Reply(answer.status, address, moved, answer.headers, answer.next, answer.body)
                location = answer.headers.get("location", "")
                target = redirected(address, location, self._known, self._permitted)
            except SourceError as error:
                hop = "" if address == url else f"redirected to {address}: "
                raise SourceError(url, hop + error.reason) from error
            except ValueError as error:
                raise SourceError(url, str(error)) from error
            permanent = permanent and answer.status in _PERMANENT
            address = target
        raise SourceError(url, f"more than {_MAX_REDIRECTS} redirects")

    def _ask(self, address: str, headers: Mapping[str, str]) -> HttpResponse:
        """Return a response with a document, a 304, or a redirect."""
        host = urlsplit(address).netloc
        if host in self._closed:
            raise SourceError(address, self._closed[host])
        rest = self._asked.get(host, float("-inf")) + PAUSE - self._clock()
        if rest > 0:
            self._sleep(rest)
        try:
            answer = request(self._client, address, headers, max_bytes=self._max_bytes, clock=self._clock)
        finally:
            self._asked[host] = self._clock()
        if answer.status not in (200, 304, *_REDIRECTS):
            self._refuse(address, answer)
        return answer

    def _refuse(self, address: str, answer: HttpResponse) -> None:
        """Raise the error for any other response."""
        host, ours = urlsplit(address).netloc, address.startswith(self._below)
        wait = asked_to_wait(answer.status, answer.headers, self._now())
        if wait is not None and wait > PATIENCE:
            hint = ", or set GITHUB_TOKEN: a token raises the limit" if ours and not self._token else ""
            when = until(wait, self._now())
            self._closed[host] = f"{host} takes no more requests until {when}; try again then{hint}"
            self.limited = True
            raise SourceError(address, self._closed[host])
        said = f"the server answered {answer.said}"
        if wait is not None or answer.status in (408, 429) or answer.status >= 500:
            raise TransientError(said, wait=wait)
        if answer.status == 401 and ours and self._token:
            said += "; the token is not accepted: correct GITHUB_TOKEN, or unset it"
        raise SourceError(address, said)


def _asked_for(state: tenacity.RetryCallState) -> float | None:
    """Return the seconds that the server asked to wait, None if it did not."""
    failure = state.outcome.exception() if state.outcome else None
    return failure.wait if isinstance(failure, TransientError) else None


def _checked(token: str, api: str) -> str:
    token = token.strip()
    if not token:
        return ""
    if not (token.isascii() and token.isprintable() and " " not in token):
        raise TorchnotesError("the token holds characters that no token has; copy it again, or leave it out")
    parts = urlsplit(api)
    if parts.scheme != "https" and parts.hostname not in _LOCAL:
        raise TorchnotesError(
            f"the token would be sent to {api} unencrypted; set TORCHNOTES_GITHUB_API to an https:// "
            "address, or leave the token out"
        )
    return token

"""Asking politely, over real sockets and without waiting: the clock and the sleep are the tests' own."""

from __future__ import annotations

import socket
from email.utils import formatdate

import httpx
import pytest

from ingest.errors import SourceError, TorchnotesError
from ingest.polite import ATTEMPTS, PAUSE, PoliteClient, Validators
from tests.ingest.github_server import LIST, Clock, Said, Site, serve

PAGE = "/blog/a"


@pytest.fixture
def waits() -> list[tuple[str, float]]:
    """The waits that were told of."""
    return []


@pytest.fixture
def client(site: Site, clock: Clock, waits: list[tuple[str, float]]) -> PoliteClient:
    """A client that knows the site, with a page there."""
    site.pages[PAGE] = "<p>One.</p>"
    return client_of(site, clock, waits=waits)


def client_of(
    site: Site, clock: Clock, *, token: str = "", waits: list[tuple[str, float]] | None = None
) -> PoliteClient:
    told = [] if waits is None else waits
    return PoliteClient(
        [site.root],
        api=site.api,
        token=token,
        on_wait=lambda host, seconds: told.append((host, seconds)),
        clock=clock,
        now=clock,
        sleep=clock.sleep,
        max_bytes=1024 * 1024,
    )


def test_a_page_is_got_and_then_only_looked_at(site: Site, client: PoliteClient) -> None:
    with client:
        first = client.get(site.root + PAGE, accept="text/html")
        again = client.get(
            site.root + PAGE,
            copy=Validators(first.address, first.headers["etag"], "Sat, 21 Nov 2026 08:00:00 GMT"),
        )
    assert (first.status, first.body, first.moved_to) == (200, b"<p>One.</p>", "")
    assert (again.status, again.body) == (304, b"")
    (_, asked), (_, looked) = site.asked
    assert asked["user-agent"].startswith("torchnotes (") and asked["accept"] == "text/html"
    assert "if-none-match" not in asked and "if-modified-since" not in asked
    assert looked["if-none-match"] == first.headers["etag"]
    assert looked["if-modified-since"] == "Sat, 21 Nov 2026 08:00:00 GMT"


def test_there_is_a_pause_between_requests_to_a_host(site: Site, client: PoliteClient, clock: Clock) -> None:
    with client, serve() as other:
        other.pages[PAGE] = "x"
        client.get(site.root + PAGE)
        client.get(other.root + PAGE)
        assert clock.slept == []
        client.get(site.root + PAGE)
    assert clock.slept == [pytest.approx(PAUSE, abs=0.1)]


@pytest.mark.parametrize(
    "said",
    [
        Said(500),
        Said(502),
        Said(408),
        Said(429),
        Said(200, body=b"short", cut=True),
        Said(200, {"Content-Encoding": "gzip"}, b"no gzip"),
    ],
    ids=["500", "502", "408", "429", "cut", "garbled"],
)
def test_what_may_mend_is_tried_again(site: Site, client: PoliteClient, clock: Clock, said: Said) -> None:
    site.script(PAGE, said, said)
    with client:
        assert client.get(site.root + PAGE).body == b"<p>One.</p>"
    assert len(site.asked) == 3
    backoff = [seconds for seconds in clock.slept if seconds > PAUSE]
    assert len(backoff) == 2 and 1 <= backoff[0] <= 2 <= backoff[1] <= 3


def test_a_server_that_stays_broken_is_given_up(site: Site, client: PoliteClient) -> None:
    site.pages["/blog/b"] = "x"
    site.script(PAGE, *[Said(503)] * 2 * ATTEMPTS)
    with client:
        for _ in range(2):
            with pytest.raises(
                SourceError, match="answered 503 Service Unavailable, 4 times; try again later"
            ):
                client.get(site.root + PAGE)
        assert len(site.asked) == 2 * ATTEMPTS
        with pytest.raises(SourceError, match=r"not asked for, since 127\.0\.0\.1:\d+ failed before"):
            client.get(f"{site.root}/blog/b")
    assert len(site.asked) == 2 * ATTEMPTS


def test_one_success_forgives(site: Site, client: PoliteClient) -> None:
    site.pages["/blog/b"] = "x"
    with client:
        for _ in range(3):
            site.script(PAGE, *[Said(500)] * ATTEMPTS)
            with pytest.raises(SourceError, match="answered 500"):
                client.get(site.root + PAGE)
            assert client.get(f"{site.root}/blog/b").body == b"x"


def test_without_a_connection_a_host_is_given_up_at_once(client: PoliteClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with client:
        with pytest.raises(SourceError, match=rf"no connection to 127\.0\.0\.1:{port} .*, 4 times") as caught:
            client.get(f"http://127.0.0.1:{port}/a")
        assert "\n" not in str(caught.value)
        with pytest.raises(SourceError, match="not asked for"):
            client.get(f"http://127.0.0.1:{port}/b")


def test_silence_is_given_up(client: PoliteClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client._client.timeout = httpx.Timeout(0.05)
        with client, pytest.raises(SourceError, match="no answer within 20 s, 4 times"):
            client.get(f"http://127.0.0.1:{silent.getsockname()[1]}/")


@pytest.mark.parametrize("status", [403, 429, 503])
@pytest.mark.parametrize("form", ["seconds", "date", "reset"])
def test_a_short_wait_is_waited(
    site: Site, client: PoliteClient, clock: Clock, waits: list[tuple[str, float]], status: int, form: str
) -> None:
    headers = {
        "seconds": {"Retry-After": "30"},
        "date": {"Retry-After": formatdate(clock.time + 30, usegmt=True)},
        "reset": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(clock.time) + 30)},
    }[form]
    site.script(PAGE, Said(status, headers))
    with client:
        assert client.get(site.root + PAGE).status == 200
        assert not client.limited
    ((host, seconds),) = waits
    assert host == site.root.removeprefix("http://") and seconds == pytest.approx(30, abs=1)
    assert clock.slept[0] == pytest.approx(30, abs=1)


@pytest.mark.parametrize(
    ("token", "hint"), [("", "or set GITHUB_TOKEN"), ("secret", "try again then$")], ids=["none", "token"]
)
def test_a_long_wait_ends_the_asking_of_that_host(site: Site, clock: Clock, token: str, hint: str) -> None:
    reset = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(clock.time) + 2500)}
    site.script(LIST, Said(403, reset))
    with client_of(site, clock, token=token) as client, serve() as other:
        other.pages[PAGE] = "x"
        for _ in range(2):
            with pytest.raises(SourceError, match=rf"takes no more requests until .* \(in 42 min\).*{hint}"):
                client.get(site.root + LIST)
        assert len(site.asked) == 1 and clock.slept == [] and client.limited
        assert client.get(other.root + PAGE).body == b"x"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (Said(404), "the server answered 404 Not Found"),
        (Said(403), "the server answered 403 Forbidden"),
        (Said(401), "401 Unauthorized; the token is not accepted: correct GITHUB_TOKEN, or unset it"),
        (Said(200, body=bytes(2_000_000)), "it is longer than 1 MB and was not taken"),
        (Said(302), "redirects to what is no address"),
        (Said(302, {"Location": "ftp://a.b/c"}), "redirects to what is no address"),
    ],
    ids=["404", "403", "401", "huge", "nowhere", "ftp"],
)
def test_what_will_not_mend_is_one_line_at_once(site: Site, clock: Clock, said: Said, message: str) -> None:
    site.script(LIST, said)
    with (
        client_of(site, clock, token="secret") as client,
        pytest.raises(SourceError, match=message) as caught,
    ):
        client.get(site.root + LIST)
    assert len(site.asked) == 1
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)


@pytest.mark.parametrize(("status", "moved"), [(301, True), (308, True), (302, False), (307, False)])
def test_redirects_are_followed_and_moves_are_told(
    site: Site, client: PoliteClient, status: int, moved: bool
) -> None:
    site.script("/old", Said(status, {"Location": f"{PAGE}#top"}))
    with client:
        reply = client.get(f"{site.root}/old", copy=Validators(f"{site.root}/old", "x", ""))
    assert (reply.status, reply.address) == (200, site.root + PAGE)
    assert reply.moved_to == (site.root + PAGE if moved else "")
    assert "if-none-match" in site.asked[0][1] and "if-none-match" not in site.asked[1][1]


def test_a_slash_at_the_end_is_no_move(site: Site, client: PoliteClient) -> None:
    site.pages["/blog/c/"] = "x"
    site.script("/blog/c", Said(301, {"Location": "/blog/c/"}))
    with client:
        assert client.get(f"{site.root}/blog/c").moved_to == ""


def test_a_circle_is_left(site: Site, client: PoliteClient) -> None:
    site.script("/round", *[Said(302, {"Location": "/round"})] * 9)
    with client, pytest.raises(SourceError, match="more than 5 redirects"):
        client.get(f"{site.root}/round")


def test_the_token_goes_to_the_api_alone(site: Site, clock: Clock) -> None:
    with serve() as other, client_of(site, clock, token="secret") as client:
        client._known.add(other.root.removeprefix("http://"))
        site.pages[PAGE] = other.pages[PAGE] = "x"
        site.script(LIST, Said(302, {"Location": other.root + PAGE}))
        client.get(site.root + LIST)
        client.get(site.root + PAGE)
        client.get(site.root + LIST)
        assert [path for path, headers in site.asked if "authorization" in headers] == [LIST, LIST]
        assert site.asked[0][1]["authorization"] == "Bearer secret"
        assert all("authorization" not in headers for _, headers in other.asked)


@pytest.mark.parametrize(
    ("token", "api", "message"),
    [
        ("a b", "https://api.example.org", "characters that no token has"),
        ("a\nb", "https://api.example.org", "characters that no token has"),
        ("中", "https://api.example.org", "characters that no token has"),
        ("abc", "http://api.example.org", "sent to http://api.example.org unencrypted"),
    ],
    ids=["blank", "line", "chinese", "http"],
)
def test_a_token_that_cannot_be_sent_is_refused(token: str, api: str, message: str) -> None:
    with pytest.raises(TorchnotesError, match=message):
        PoliteClient([], api=api, token=token)


def test_a_proxy_that_cannot_be_used_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "gopher://127.0.0.1:1")
    with pytest.raises(TorchnotesError, match="the proxy of the environment cannot be used"):
        PoliteClient([])

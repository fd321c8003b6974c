"""Who may read the metrics, and that readiness is told to everyone."""

from __future__ import annotations

import pytest

from tests.rows import each_row
from tests.ui.web.guard.guarded import Guarded, Headers, answer, given, yes
from ui.web.guard.metrics_access import MetricsAccess

TOKEN = "token-of-the-operator"
PASSWORD = "open sesame"
BEARER: Headers = [(b"authorization", f"Bearer {TOKEN}".encode())]
WRONG: Headers = [(b"authorization", b"Bearer another")]
HERE, THERE = "127.0.0.1", "192.0.2.1"


@each_row(
    ("client", "headers", "password", "token", "status"),
    [
        pytest.param(HERE, [], "", "", 200, id="this-machine"),
        pytest.param("::1", [], "", TOKEN, 200, id="this-machine-v6"),
        pytest.param(THERE, [], "", "", 403, id="another"),
        pytest.param(THERE, [], "", TOKEN, 403, id="another-without-token"),
        pytest.param(THERE, BEARER, "", TOKEN, 200, id="token"),
        pytest.param(THERE, WRONG, "", TOKEN, 401, id="wrong-token"),
        pytest.param(HERE, WRONG, "", TOKEN, 401, id="wrong-token-here"),
        pytest.param(THERE, BEARER, "", "", 403, id="token-of-none"),
        pytest.param(HERE, [(b"x-forwarded-for", b"127.0.0.1")], "", "", 403, id="proxy"),
        pytest.param(HERE, [(b"forwarded", b"for=_x")], "", "", 403, id="proxy-of-rfc-7239"),
        pytest.param(HERE, [(b"via", b"1.1 x")], "", "", 403, id="proxy-via"),
        pytest.param(HERE, [(b"x-real-ip", b"1.1.1.1")], "", "", 403, id="proxy-of-nginx"),
        pytest.param(
            HERE, [(b"x-forwarded-for", b"1.1.1.1"), *BEARER], "", TOKEN, 200, id="proxy-with-token"
        ),
        pytest.param(HERE, [], PASSWORD, "", 401, id="password-here"),
        pytest.param(THERE, given(PASSWORD), PASSWORD, TOKEN, 200, id="password"),
        pytest.param(THERE, given("guess"), PASSWORD, TOKEN, 401, id="wrong-password"),
        pytest.param(THERE, BEARER, PASSWORD, TOKEN, 200, id="token-for-password"),
        pytest.param(THERE, BEARER, PASSWORD, "", 401, id="no-token-for-password"),
    ],
)
@each_row("path", ["/metrics", "/metrics/"])
@each_row("method", ["GET", "HEAD"])
def test_metrics_are_told_here_or_with_token_or_password(
    client: str, headers: Headers, password: str, token: str, status: int, path: str, method: str
) -> None:
    app = Guarded("0.0.0.0", password=password, metrics_token=token)
    replied = app(path, headers=headers, client=client, method=method)
    allowed = 200 if method == "GET" else 405  # behind the guard, this app has no HEAD
    assert replied.status == (allowed if status == 200 else status)
    assert TOKEN not in replied.body


@pytest.mark.parametrize("path", ["/", "/config", "/gradio_api/info", "/readyz"])
def test_the_token_opens_nothing_else(path: str) -> None:
    app = Guarded("0.0.0.0", password=PASSWORD, metrics_token=TOKEN)
    assert app(path, headers=BEARER, client=THERE).status == (200 if path == "/readyz" else 401)


@each_row("path", ["/metrics", "/readyz", "/healthz"])
@each_row("method", ["POST", "PUT", "DELETE"])
def test_probes_are_only_read(path: str, method: str) -> None:
    assert Guarded()(path, method=method).status == 404


@each_row("path", ["/metrics", "/readyz"])
@each_row(
    "headers",
    [
        [(b"origin", b"http://evil.example")],
        [(b"sec-fetch-site", b"cross-site")],
        [
            (b"sec-fetch-site", b"cross-site"),
            (b"sec-fetch-mode", b"navigate"),
            (b"sec-fetch-dest", b"document"),
        ],
    ],
)
def test_pages_of_other_origins_read_no_probes(path: str, headers: Headers) -> None:
    app = Guarded(metrics_token=TOKEN)
    assert app(path, headers=headers).status == 403
    assert app(path, headers=[*headers, *BEARER]).status == 403
    assert app(path, named="rebound.example").status == 400


class Clock:
    """Seconds that pass when told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_who_guesses_the_token_waits() -> None:
    clock = Clock()
    app = MetricsAccess(yes, token=TOKEN, clock=clock)

    def ask(headers: Headers, client: str = THERE) -> int:
        return answer(app, "/metrics", headers=headers, client=client).status

    assert [ask(WRONG) for _ in range(6)] == [401] * 5 + [429]
    assert ask(BEARER) == 429, "whatever comes then"
    assert ask(BEARER, "192.0.2.2") == 200, "others do not wait"
    clock.now += 2
    assert ask(BEARER) == 200

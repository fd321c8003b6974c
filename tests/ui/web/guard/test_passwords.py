"""The password of a server, who has to wait, and how much one address may send."""

from __future__ import annotations

import pytest

from tests.rows import each_row
from tests.ui.web.guard.guarded import Guarded, Headers, Replied, answer, given, yes
from ui.web.guard.asgi import App
from ui.web.guard.passwords import PasswordNeeded
from ui.web.guard.rates import RateLimit

PASSWORD = "开门 sesame"


@each_row(
    ("headers", "status"),
    [
        pytest.param(given(PASSWORD), 200, id="right"),
        pytest.param(given(PASSWORD, ""), 200, id="no-user"),
        pytest.param([], 401, id="none"),
        pytest.param(given("open sesame"), 401, id="wrong"),
        pytest.param(given(""), 401, id="empty"),
        pytest.param(given(PASSWORD + "!"), 401, id="longer"),
        pytest.param([(b"authorization", b"Basic %%%")], 401, id="no-base64"),
        pytest.param([(b"authorization", b"Basic \xff\xfe")], 401, id="no-text"),
        pytest.param([(b"authorization", b"Bearer x")], 401, id="other-kind"),
        pytest.param([(b"cookie", b"torchnotes-known=9.x")], 401, id="cookie-alone"),
    ],
)
def test_the_password_is_asked_of_everyone(headers: Headers, status: int) -> None:
    answered = Guarded("0.0.0.0", password=PASSWORD)(headers=headers)
    assert answered.status == status
    assert (b"www-authenticate" in answered.headers) == (status == 401)
    assert "page" in answered.body if status == 200 else "a password is needed" in answered.body


def test_health_is_told_without_the_password() -> None:
    assert Guarded("0.0.0.0", password=PASSWORD)("/healthz").status == 200


class Clock:
    """Seconds that pass when told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def ask(app: App, *headers: tuple[bytes, bytes], client: str = "192.0.2.1", method: str = "GET") -> Replied:
    """How a part of the guard answers."""
    return answer(app, headers=headers, client=client, method=method)


def test_wrong_passwords_have_to_wait_longer_and_longer() -> None:
    clock = Clock()
    app = PasswordNeeded(yes, PASSWORD, clock)
    (right,), (wrong,) = given(PASSWORD), given("guess")
    cookie = (b"cookie", ask(app, right).headers[b"set-cookie"].partition(b";")[0])
    assert [ask(app, wrong).status for _ in range(6)] == [401] * 5 + [429]
    # Not even the right one is tried now, so that who guesses does not learn which it was ...
    assert ask(app, right).status == 429
    # ... but who gave it before does not wait with him, nor does anyone at another address.
    assert ask(app, right, cookie).status == 200 and ask(app, wrong, cookie).status == 401
    assert ask(app, right, client="192.0.2.2").status == 200
    waits: list[int] = []
    while len(waits) < 12:
        answered = ask(app, wrong)
        if answered.status == 429:
            waits.append(int(answered.headers[b"retry-after"]))
            clock.now += waits[-1] + 1
    assert waits == sorted(waits) and waits[:3] == [2, 4, 8] and waits[-1] == 300
    clock.now += 301
    assert ask(app, right).status == 200


def test_a_forged_cookie_waits_like_everyone() -> None:
    app = PasswordNeeded(yes, PASSWORD, Clock())
    (wrong,) = given("guess")
    for value in ("99999999999.", "99999999999.ab", "x.y", "²." + "a" * 64, '"'):
        forged = (b"cookie", f"torchnotes-known={value}".encode())
        assert ask(app, wrong, forged).status in (401, 429)
    assert ask(app, wrong, (b"cookie", b"torchnotes-known=99999999999.ab")).status == 429


def test_an_address_that_floods_waits_and_others_do_not() -> None:
    clock = Clock()
    app = RateLimit(yes, clock)
    answers = [ask(app, method="POST").status for _ in range(201)]
    assert answers == [200] * 200 + [429]
    assert ask(app, method="GET").status == 200
    assert ask(app, method="POST", client="192.0.2.2").status == 200
    assert ask(app, method="POST", client="127.0.0.1").status == 200
    clock.now += 0.06
    assert ask(app, method="POST").status == 200

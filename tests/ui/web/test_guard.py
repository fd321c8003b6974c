"""Who may use the page, what browsers may do with it, and how much they may send."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import MutableMapping, Sequence
from typing import Any

import pytest
from fastapi import FastAPI, Request

from ui.web.guard import LOOPBACK, MAX_BODY, guard

Headers = Sequence[tuple[bytes, bytes]]
PASSWORD = "开门 sesame"


class Replied:
    """What an app answered."""

    def __init__(self, sent: list[MutableMapping[str, Any]]) -> None:
        self.status = sent[0]["status"]
        self.headers = dict(sent[0]["headers"])
        self.body = b"".join(message.get("body", b"") for message in sent[1:]).decode()


def reply(
    host: str,
    named: str = "localhost",
    path: str = "/",
    *,
    password: str = "",
    uploads: bool = False,
    headers: Headers = (),
    body: Sequence[bytes] = (b"",),
) -> Replied:
    """How an app that listens on a host answers a request that names it."""
    app = FastAPI(openapi_url=None)

    @app.get("/")
    @app.get("/healthz")
    def page() -> str:
        return "page"

    @app.post("/")
    @app.post("/gradio_api/upload")
    async def size(request: Request) -> int:
        return len(await request.body())

    guard(app, host, password, uploads=uploads)
    scope = {
        "type": "http",
        "method": "POST" if body[0] else "GET",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", named.encode()), *headers],
    }
    sent: list[MutableMapping[str, Any]] = []
    parts = list(body)

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return Replied(sent)


def given(password: str, user: str = "anyone") -> Headers:
    """The header of a password."""
    return [(b"authorization", b"Basic " + base64.b64encode(f"{user}:{password}".encode()))]


@pytest.mark.parametrize("host", LOOPBACK)
@pytest.mark.parametrize(
    ("named", "status"),
    [
        ("127.0.0.1:7860", 200),
        ("localhost:7860", 200),
        ("[::1]:7860", 200),
        ("[::1]", 200),
        ("elsewhere.example", 400),
        ("elsewhere.example:7860", 400),
        ("[::2]:7860", 400),
        ("localhost.elsewhere.example", 400),
    ],
)
def test_only_names_of_this_machine_are_answered(host: str, named: str, status: int) -> None:
    assert reply(host, named).status == status


def test_a_server_for_all_answers_every_name() -> None:
    answered = reply("0.0.0.0", "notes.example")
    assert answered.status == 200 and b"content-security-policy" in answered.headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param(given(PASSWORD), 200, id="right"),
        pytest.param(given(PASSWORD, ""), 200, id="no-user"),
        pytest.param([], 401, id="none"),
        pytest.param(given("open sesame"), 401, id="wrong"),
        pytest.param(given(""), 401, id="empty"),
        pytest.param(given(PASSWORD + "!"), 401, id="longer"),
        pytest.param([(b"authorization", b"Basic %%%")], 401, id="no-base64"),
        pytest.param([(b"authorization", b"Bearer x")], 401, id="other-kind"),
    ],
)
def test_the_password_is_asked_of_everyone(headers: Headers, status: int) -> None:
    answered = reply("0.0.0.0", "notes.example", password=PASSWORD, headers=headers)
    assert answered.status == status
    assert (b"www-authenticate" in answered.headers) == (status == 401)
    assert "page" in answered.body if status == 200 else "a password is needed" in answered.body


def test_health_is_told_without_the_password() -> None:
    assert reply("0.0.0.0", "notes.example", "/healthz", password=PASSWORD).status == 200


@pytest.mark.parametrize("path", ["/gradio_api/upload", "/gradio_api/upload/"])
def test_files_are_refused_where_none_are_allowed(path: str) -> None:
    answered = reply("127.0.0.1", path=path, body=(b"file",))
    assert answered.status == 403 and "torchnotes web --allow-documents" in answered.body


def test_files_are_taken_where_they_are_allowed() -> None:
    long = b"x" * MAX_BODY
    answered = reply("127.0.0.1", path="/gradio_api/upload", uploads=True, body=(long, long))
    assert answered.body == str(2 * MAX_BODY)


def test_a_request_as_long_as_any_of_ours_is_read_whole() -> None:
    assert reply("127.0.0.1", body=(b"x" * (MAX_BODY - 5), b"y" * 5)).body == str(MAX_BODY)


def test_a_longer_one_is_refused() -> None:
    answered = reply("127.0.0.1", body=(b"x" * MAX_BODY, b"y", b"never read"))
    assert answered.status == 413 and f"more than {MAX_BODY} bytes" in answered.body

"""The page's server: whom it answers."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from fastapi import FastAPI

from ui.web import LOOPBACK, guard


def reply(host: str, named: str) -> MutableMapping[str, Any]:
    """How an app that listens on a host answers a request that names it."""
    app = FastAPI(openapi_url=None)

    @app.get("/")
    def page() -> str:
        return "page"

    guard(app, host)
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "headers": [(b"host", named.encode())],
    }
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent[0]


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
    assert reply(host, named)["status"] == status


def test_a_server_for_all_answers_every_name() -> None:
    answered = reply("0.0.0.0", "notes.example")
    assert answered["status"] == 200 and b"content-security-policy" in dict(answered["headers"])

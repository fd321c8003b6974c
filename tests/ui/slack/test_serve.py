"""HTTP mode: the signature, the age of requests, and the same listeners behind them; how a socket is left."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from slack_sdk.signature import SignatureVerifier
from uvicorn import Config, Server

from tests.ui.slack.conftest import service_of
from tests.ui.slack.server import ANN, APP_TOKEN, BOT, CHANNEL, PATIENCE, SECRET, TEAM, FakeSlack
from tests.ui.slack.test_conversation import QUESTION, text_of
from ui.cli.commands.web import listen
from ui.shared.app_state import AppState
from ui.slack.app import build_app
from ui.slack.serve import connect, http_app, leave


@pytest.fixture
def address(slack: FakeSlack, app_state: AppState, tmp_path: Path) -> Iterator[str]:
    """A bot that takes requests over HTTP."""
    service = service_of(slack, app_state, tmp_path / "s.sqlite3")
    taken = listen("127.0.0.1", 0)
    server = Server(Config(http_app(build_app(service, SECRET)), log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    server.should_exit = True
    thread.join(30)
    taken.close()
    service.close()


def post(
    address: str, body: str, *, secret: str = SECRET, age: int = 0, kind: str = "application/json"
) -> httpx.Response:
    """What Slack sends, signed."""
    stamp = str(int(time.time()) - age)
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body) or ""
    headers = {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature, "Content-Type": kind}
    return httpx.post(f"{address}/slack/events", content=body.encode(), headers=headers, timeout=30)


def event_of(event: dict[str, Any]) -> str:
    body = {"type": "event_callback", "team_id": TEAM, "event": event, "event_id": "Ev1"}
    return json.dumps({**body, "authorizations": [{"team_id": TEAM, "user_id": BOT, "is_bot": True}]})


def test_an_event_is_answered(slack: FakeSlack, address: str) -> None:
    body = event_of(slack.says(f"<@{BOT}> {QUESTION}"))
    assert [post(address, body).status_code for _ in range(3)] == [200, 200, 200]
    slack.until(lambda: slack.answers())
    assert len(slack.said()) == 1 and "libuv" in text_of(slack.said()[0])


def test_the_address_is_verified(address: str) -> None:
    reply = post(address, json.dumps({"type": "url_verification", "challenge": "c-123", "token": "t"}))
    assert reply.status_code == 200 and "c-123" in reply.text
    assert httpx.get(f"{address}/healthz").json() == {"status": "ok"}


@pytest.mark.parametrize(
    "given", [{"secret": "f" * 32}, {"age": 6 * 60}, {"age": -6 * 60}], ids=["signature", "old", "early"]
)
def test_what_slack_did_not_send_now_is_refused(
    slack: FakeSlack, address: str, given: dict[str, Any]
) -> None:
    body = event_of(slack.says(f"<@{BOT}> {QUESTION}"))
    assert post(address, body, **given).status_code == 401
    bare = httpx.post(f"{address}/slack/events", content=body)
    assert bare.status_code == 401
    assert slack.called("chat.postMessage") == []


def test_what_is_too_large_or_no_text_is_refused(address: str) -> None:
    assert post(address, "x" * (1024 * 1024 + 1)).status_code == 413
    reply = httpx.post(f"{address}/slack/events", content=b"\xff\xfe{")
    assert reply.status_code == 400
    assert httpx.get(f"{address}/slack/events").status_code == 405


def test_a_command_over_http_is_acknowledged_and_answered_in_private(slack: FakeSlack, address: str) -> None:
    form = {
        "command": "/torchnotes",
        "text": QUESTION,
        "user_id": ANN,
        "team_id": TEAM,
        "channel_id": CHANNEL,
        "trigger_id": "1.2",
        "response_url": slack.respond_url,
    }
    reply = post(address, urlencode(form), kind="application/x-www-form-urlencoded")
    assert reply.json()["response_type"] == "ephemeral"
    slack.until(lambda: slack.called("respond"))
    assert "libuv" in text_of(slack.called("respond")[0])


def test_a_socket_that_is_being_connected_anew_is_left_for_good(
    slack: FakeSlack, app_state: AppState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = service_of(slack, app_state, tmp_path / "s.sqlite3")
    handler = connect(build_app(service, SECRET), APP_TOKEN)
    client, asked, told = handler.client, threading.Event(), threading.Event()
    issue = client.issue_new_wss_url

    def slow() -> str:
        asked.set()
        assert told.wait(PATIENCE)
        return issue()

    monkeypatch.setattr(client, "issue_new_wss_url", slow)
    anew = threading.Thread(target=client.connect_to_new_endpoint, args=(True,))
    anew.start()
    assert asked.wait(PATIENCE)
    leaving = threading.Thread(target=leave, args=(client,))
    leaving.start()
    leaving.join(0.5)  # it may only end once there is a connection to end
    told.set()
    anew.join(PATIENCE)
    leaving.join(PATIENCE)
    assert not client.is_connected() and not client.auto_reconnect_enabled
    service.close()
    handler.close()  # type: ignore[no-untyped-call]

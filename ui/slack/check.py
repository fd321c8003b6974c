"""`torchnotes slack --check`: check tokens, scopes and connection."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.errors import TorchnotesError
from ui.shared.finding import Diagnosis
from ui.slack.app import web_client
from ui.slack.manifest import scopes
from ui.slack.serve import leave
from ui.slack.state import State
from ui.slack.tokens import Tokens

if TYPE_CHECKING:
    from slack_sdk import WebClient

_HELLO = 10.0  # seconds to wait for Slack's hello message
_REINSTALL = "add it under OAuth & Permissions of the app, and install the app again"


@dataclass(frozen=True, slots=True)
class CheckTarget:
    """What is checked.

    Attributes:
        tokens: tokens of the environment.
        root: address of the Web API.
        state: stored state of the bot.
        http: HTTP requests are used instead of Socket Mode.
    """

    tokens: Tokens
    root: str
    state: State
    http: bool = False


def examine(subject: CheckTarget) -> Iterator[Diagnosis]:
    """Yield all findings.

    Args:
        subject: what to check.
    """
    tokens = subject.tokens
    missing = tokens.missing(http=subject.http)
    for name, mend in missing.items():
        yield Diagnosis(False, f"{name} is not set", mend)
    for name, line in tokens.odd().items():
        yield Diagnosis(False, f"{name} {line}")
    if "SLACK_BOT_TOKEN" not in missing:
        yield from _bot(web_client(tokens.bot, subject.root))
    if subject.http:
        if "SLACK_SIGNING_SECRET" not in missing:
            yield Diagnosis(True, "SLACK_SIGNING_SECRET is set; requests without its signature are refused")
    elif "SLACK_APP_TOKEN" not in missing:
        yield _socket(web_client(tokens.bot, subject.root), tokens.app)
    yield _state(subject.state)


def _bot(client: WebClient) -> Iterator[Diagnosis]:
    from slack_sdk.errors import SlackApiError

    try:
        told = client.auth_test()
    except SlackApiError as error:
        reason = error.response.get("error")
        yield Diagnosis(
            False,
            f"Slack refuses SLACK_BOT_TOKEN ({reason})",
            "copy the token that starts with xoxb- from OAuth & Permissions of the app",
        )
        return
    except OSError as error:
        yield Diagnosis(
            False, f"{client.base_url} is not reached ({error})", "check the network, or HTTPS_PROXY"
        )
        return
    yield Diagnosis(True, f"bot token: {told.get('user')} in the workspace {told.get('team')}")
    granted = _granted(dict(told.headers))
    for scope in (each for each in scopes() if granted and each not in granted):
        yield Diagnosis(False, f"the scope {scope} is missing", _REINSTALL)
    if granted and granted.issuperset(scopes()):
        yield Diagnosis(True, f"scopes: {', '.join(scopes())}")
    if not granted:
        yield Diagnosis(True, "scopes: Slack does not tell them")


def _granted(headers: Mapping[str, Any]) -> set[str]:
    for name, value in headers.items():
        if name.lower() == "x-oauth-scopes":
            text = value if isinstance(value, str) else ",".join(value)
            return {scope.strip() for scope in text.split(",") if scope.strip()}
    return set()


def _socket(client: WebClient, token: str) -> Diagnosis:
    """Connect, and wait for Slack's hello message."""
    from slack_sdk.errors import SlackApiError, SlackClientError
    from slack_sdk.socket_mode import SocketModeClient

    greeted = threading.Event()

    def heard(_: object, message: dict[str, Any], __: str | None = None) -> None:
        if message.get("type") == "hello":
            greeted.set()

    socket = SocketModeClient(token, web_client=client, auto_reconnect_enabled=False)
    socket.message_listeners.append(heard)
    try:
        socket.connect()
        well = greeted.wait(_HELLO)
    except SlackApiError as error:
        reason = error.response.get("error")
        return Diagnosis(
            False,
            f"Slack opens no socket for SLACK_APP_TOKEN ({reason})",
            "turn Socket Mode on, and make an app-level token with the scope connections:write under Basic "
            "Information of the app",
        )
    except (OSError, SlackClientError) as error:
        return Diagnosis(False, f"the socket is not reached ({error})", "check the network, or HTTPS_PROXY")
    finally:
        leave(socket)
        socket.close()
    if not well:
        return Diagnosis(
            False, f"Slack has not greeted within {_HELLO:g} s", "check the network, and try again"
        )
    return Diagnosis(True, "app token: the socket is open")


def _state(state: State) -> Diagnosis:
    try:
        state.tidy()
    except TorchnotesError as error:
        return Diagnosis(False, str(error))
    return Diagnosis(True, f"state in {state.path}")

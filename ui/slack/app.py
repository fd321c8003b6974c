"""The bolt app with its listeners; each stores the request before Slack is told that it is taken."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ingest.errors import TorchnotesError
from ui.slack.blocks import ACTION
from ui.slack.incoming import Identity
from ui.slack.mrkdwn import escape
from ui.slack.rating import REASON
from ui.slack.service import Service
from ui.slack.web_api import patient

if TYPE_CHECKING:
    from slack_bolt import App
    from slack_sdk import WebClient

COMMAND = "/torchnotes"
_TIMEOUT = 30  # seconds
_OAUTH = ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET")

Body = Mapping[str, Any]


def web_client(token: str, root: str) -> WebClient:
    """Create a client of the Web API that waits when rate-limited.

    Args:
        token: token of the bot.
        root: address of the API.
    """
    from slack_sdk import WebClient

    return WebClient(token, base_url=f"{root.rstrip('/')}/", timeout=_TIMEOUT, retry_handlers=patient())


def identify(client: WebClient) -> Identity:
    """Return the identity of the bot.

    Args:
        client: client of the Web API.

    Raises:
        TorchnotesError: the token is rejected, or Slack cannot be reached.
    """
    from slack_sdk.errors import SlackApiError

    try:
        told = client.auth_test()
    except SlackApiError as error:
        raise TorchnotesError(
            f"Slack refuses SLACK_BOT_TOKEN ({error.response.get('error')}); copy the token that starts "
            "with xoxb- from OAuth & Permissions of the app, or type `torchnotes slack --check`"
        ) from None
    except OSError as error:
        raise TorchnotesError(
            f"Slack is not reached at {client.base_url} ({error}); check the network, or HTTPS_PROXY"
        ) from None
    return Identity(*(str(told.get(key) or "") for key in ("user_id", "bot_id", "user", "team_id", "team")))


def build_app(service: Service, signing_secret: str = "") -> App:
    """Create the bolt app of a service.

    Args:
        service: handles the events.
        signing_secret: secret for verifying HTTP requests; "" with Socket Mode.

    Raises:
        TorchnotesError: the environment configures slack-bolt for several workspaces.
    """
    from slack_bolt import App

    if all(os.environ.get(name) for name in _OAUTH):
        raise TorchnotesError(
            f"{' and '.join(_OAUTH)} are set, with which slack-bolt serves many workspaces; torchnotes has "
            "one and its token: unset them"
        )
    app = App(
        client=service.client,
        signing_secret=signing_secret,
        name="torchnotes",
        process_before_response=True,  # what is acknowledged is stored; otherwise Slack sends it again
    )

    def message(body: Body) -> None:
        service.message(body)

    def opened(body: Body) -> None:
        service.home(body, COMMAND)

    def other() -> None:
        return  # acknowledged, otherwise Slack would send the event again

    def command(ack: Callable[..., Any], body: Body) -> None:
        ack(response_type="ephemeral", text=escape(service.command(body)))

    def pressed(ack: Callable[..., Any], body: Body) -> None:
        ack()
        service.press(body)

    def sent(ack: Callable[..., Any], body: Body) -> None:
        ack()
        service.form(body)

    app.event("app_mention")(message)
    app.event("message")(message)
    app.event("app_home_opened")(opened)
    app.event(re.compile(".*"))(other)
    app.command(re.compile("/.*"))(command)
    app.action(re.compile(f"{ACTION}.*"))(pressed)
    app.view(REASON)(sent)
    return app

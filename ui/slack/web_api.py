"""Requests to Slack: retries that are safe, response URLs, and the reasons of failures."""

from __future__ import annotations

import http.client
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ui.slack.blocks import line_message

if TYPE_CHECKING:
    from slack_sdk.http_retry import RetryHandler

PATIENCE = 5  # maximum number of retries when rate-limited
_log = logging.getLogger(__name__)


class ExpiredError(Exception):
    """A response URL is used up, or older than half an hour."""


def patient() -> list[RetryHandler]:
    """Return handlers that retry after rate limits (Retry-After), lost connections and server errors.

    A message is not posted again where Slack may have taken it: `Delivery` looks first.
    """
    from slack_sdk.http_retry.builtin_handlers import (
        ConnectionErrorRetryHandler,
        RateLimitErrorRetryHandler,
        ServerErrorRetryHandler,
    )

    class Reconnecting(ConnectionErrorRetryHandler):
        def _can_retry(self, **given: Any) -> bool:
            return not _posts(given) and super()._can_retry(**given)

    class Repeating(ServerErrorRetryHandler):
        def _can_retry(self, **given: Any) -> bool:
            return not _posts(given) and super()._can_retry(**given)

    return [
        Reconnecting(max_retry_count=2),
        Repeating(max_retry_count=2),
        RateLimitErrorRetryHandler(max_retry_count=PATIENCE),
    ]


def error_of(error: BaseException) -> str:
    """Return Slack's name of an error, "" if the reply has none, as in an outage.

    Args:
        error: exception of a request.
    """
    data = getattr(getattr(error, "response", None), "data", None)
    if data is None:
        data = getattr(error, "response", None)
    return str(data.get("error") or "") if isinstance(data, Mapping) else ""


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions of failed requests."""
    from slack_sdk.errors import SlackClientError

    return (SlackClientError, OSError, http.client.HTTPException)


def respond(url: str, message: Mapping[str, Any], *, replaces: bool = False) -> None:
    """Send a message that only one person sees to a response URL.

    Args:
        url: response URL, for five messages within half an hour.
        message: arguments of the message.
        replaces: it replaces the message that the URL belongs to.

    Raises:
        ExpiredError: the URL takes no more messages.
        SlackApiError: Slack does not take the message.
    """
    from slack_sdk.errors import SlackApiError
    from slack_sdk.webhook import WebhookClient

    client = WebhookClient(url, retry_handlers=patient())
    reply = client.send_dict({"response_type": "ephemeral", "replace_original": replaces, **message})
    if reply.status_code in (404, 410):
        raise ExpiredError(reply.body)
    if reply.status_code != 200:
        raise SlackApiError(  # type: ignore[no-untyped-call]
            f"a private message was refused with {reply.status_code}", {"ok": False, "error": ""}
        )


def tell(url: str, line: str) -> None:
    """Show a line to one person; a failure is only logged.

    Args:
        url: response URL.
        line: plain text.
    """
    try:
        respond(url, line_message(line).to_dict())
    except (ExpiredError, *failures()) as error:  # type: ignore[misc]
        _log.warning("a person was not told %r: %s", line, error)


def remove_private(url: str) -> None:
    """Remove a message that only one person sees.

    Args:
        url: response URL of the message; a failure is only logged.
    """
    from slack_sdk.webhook import WebhookClient

    try:
        reply = WebhookClient(url, retry_handlers=patient()).send_dict({"delete_original": True})
        if reply.status_code != 200:
            _log.warning("a private message is not removed: %s", reply.status_code)
    except failures() as error:
        _log.warning("a private message is not removed: %s", error)


def _posts(given: Mapping[str, Any]) -> bool:
    return str(given["request"].url).endswith("chat.postMessage")

"""Destinations of answers: a thread, or only the user who asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ingest.document import Language
from ui.slack import bot_messages as words
from ui.slack.blocks import SlackMessage, line_message

if TYPE_CHECKING:
    from slack_sdk import WebClient

PATIENCE = 5  # maximum number of retries when rate-limited
_USES = 5  # maximum number of messages to a response URL
_GONE = ("message_not_found", "cant_update_message", "edit_window_closed")
_STILL: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}


class ReplyTarget(Protocol):
    """A destination of answers."""

    def think(self, line: str) -> None:
        """Confirm at once that the question was received.

        Args:
            line: text to show.
        """

    def show(self, messages: Sequence[SlackMessage], language: Language) -> None:
        """Show an answer in place of that confirmation.

        Args:
            messages: messages of the answer.
            language: language of the answer.
        """


@dataclass
class ThreadReply:
    """Replies in a thread.

    Attributes:
        client: client of the Web API.
        channel: id of the channel.
        thread: time stamp of the thread.
    """

    client: WebClient
    channel: str
    thread: str
    _waiting: str = field(default="", init=False)

    def think(self, line: str) -> None:
        """Post a line that will be replaced.

        Args:
            line: text to show.
        """
        posted = self._post(line_message(line))
        self._waiting = str(posted.get("ts") or "")

    def show(self, messages: Sequence[SlackMessage], language: Language) -> None:
        """Replace that line by the first message and post the others below it.

        Args:
            messages: messages of the answer.
            language: unused.

        Raises:
            SlackApiError: Slack rejects a message.
        """
        from slack_sdk.errors import SlackApiError

        first, *others = messages
        if self._waiting:
            try:
                self.client.chat_update(channel=self.channel, ts=self._waiting, **first.to_dict())
            except SlackApiError as error:
                if error.response.get("error") not in _GONE:
                    raise
                self._post(first)
            self._waiting = ""
        else:
            self._post(first)
        for message in others:
            self._post(message)

    def _post(self, message: SlackMessage) -> Mapping[str, Any]:
        reply = self.client.chat_postMessage(
            channel=self.channel, thread_ts=self.thread, **message.to_dict(), **_STILL
        )
        return {"ts": reply.get("ts")}


@dataclass
class PrivateReply:
    """Replies visible only to the user who asked, sent to a response URL: five messages at most.

    Attributes:
        url: response URL, valid for half an hour.
        replaces: the first message replaces the existing one.
    """

    url: str
    replaces: bool = True

    def think(self, line: str) -> None:
        """Do nothing: the acknowledgement already confirms the question.

        Args:
            line: unused.
        """

    def show(self, messages: Sequence[SlackMessage], language: Language) -> None:
        """Send the messages; if there are too many, a note replaces some of them.

        Args:
            messages: messages of the answer.
            language: language of the note.

        Raises:
            SlackApiError: Slack rejects a message.
        """
        fits = list(messages)
        if len(fits) > _USES:
            fits = [*fits[: _USES - 2], line_message(words.CUT[language]), fits[-1]]
        for number, message in enumerate(fits):
            self._send(message, replaces=self.replaces and number == 0)

    def _send(self, message: SlackMessage, *, replaces: bool) -> None:
        from slack_sdk.errors import SlackApiError
        from slack_sdk.webhook import WebhookClient

        client = WebhookClient(self.url, retry_handlers=patient())
        kind = {"response_type": "ephemeral", "replace_original": replaces}
        reply = client.send_dict({**kind, **message.to_dict()})
        if reply.status_code != 200:
            raise SlackApiError(  # type: ignore[no-untyped-call]
                f"a private answer was refused with {reply.status_code}",
                {"ok": False, "error": f"http_{reply.status_code}"},
            )


def patient() -> list[Any]:
    """Return handlers that retry after rate limits (Retry-After), lost connections and server errors."""
    from slack_sdk.http_retry.builtin_handlers import (
        ConnectionErrorRetryHandler,
        RateLimitErrorRetryHandler,
        ServerErrorRetryHandler,
    )

    return [
        ConnectionErrorRetryHandler(max_retry_count=2),
        ServerErrorRetryHandler(max_retry_count=2),
        RateLimitErrorRetryHandler(max_retry_count=PATIENCE),
    ]

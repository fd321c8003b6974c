"""Reading of threads from Slack as the history of a conversation; nothing is lost on a restart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.query.validation import MAX_HISTORY
from ui.slack.blocks import ANSWERED
from ui.slack.incoming import Identity, IncomingQuestion, spoken

if TYPE_CHECKING:
    from slack_sdk import WebClient

_PAGE = 200  # messages per request, the maximum that Slack recommends
_PAGES = 10


@dataclass(frozen=True, slots=True)
class Thread:
    """The part of a thread before a message.

    Attributes:
        history: answered turns, oldest first.
        joined: whether the bot has posted in it.
    """

    history: tuple[str, ...] = ()
    joined: bool = False


def read_thread(client: WebClient, asked: IncomingQuestion, me: Identity) -> Thread:
    """Read the thread of a message; no request is made for a message that starts a thread.

    Args:
        client: client of the Web API.
        asked: the message.
        me: identity of the bot.

    Raises:
        SlackApiError: Slack does not return the thread.
    """
    if asked.thread == asked.at:
        return Thread()
    said = list(_messages(client, asked))
    mine = [message for message in said if message.get("user") == me.user or message.get("bot_id") == me.bot]
    answered = {stamp for message in mine for stamp in _answered(message)}
    questions = [
        spoken(str(message.get("text") or ""))
        for message in said
        if message not in mine and message.get("ts") in answered and _before(message, asked)
    ]
    return Thread(tuple(filter(None, questions))[-MAX_HISTORY:], bool(mine))


def _messages(client: WebClient, asked: IncomingQuestion) -> Iterator[Mapping[str, Any]]:
    cursor: str | None = None
    for _ in range(_PAGES):
        reply = client.conversations_replies(
            channel=asked.place.channel, ts=asked.thread, limit=_PAGE, cursor=cursor
        )
        yield from reply.get("messages") or ()
        cursor = (reply.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return


def _answered(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the time stamps of the questions that a message of the bot answers."""
    for block in message.get("blocks") or ():
        name = str(block.get("block_id") or "")
        if name.startswith(ANSWERED):
            yield name.removeprefix(ANSWERED)


def _before(message: Mapping[str, Any], asked: IncomingQuestion) -> bool:
    return float(message.get("ts") or 0) < float(asked.at)

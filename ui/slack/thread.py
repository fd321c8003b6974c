"""Reading of threads and direct messages from Slack: the history of a conversation, and what people said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.query.validation import MAX_HISTORY
from ui.slack.blocks import ANSWERED
from ui.slack.incoming import Identity, IncomingQuestion, spoken
from ui.slack.remarks import remark

if TYPE_CHECKING:
    from slack_sdk import WebClient

_PAGE = 200  # messages per request, the maximum that Slack recommends
_PAGES = 10
_JUST = 60.0  # seconds within which events of a conversation may come in another order
_CONTINUES = 24 * 3600.0  # seconds after which a direct message starts a new conversation


@dataclass(frozen=True, slots=True)
class Thread:
    """The part of a conversation before a message.

    Attributes:
        history: answered questions, oldest first.
        said: what people said since the bot's last answer, oldest first.
        joined: whether the bot has posted in it.
        after_bot: whether the message before is the bot's.
        open: time stamps of messages just before that ask the bot and have no answer yet.
    """

    history: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    joined: bool = False
    after_bot: bool = False
    open: tuple[str, ...] = ()


def read_thread(client: WebClient, asked: IncomingQuestion, me: Identity) -> Thread:
    """Read what precedes a message: its thread, or the direct messages before; nothing in a channel.

    Args:
        client: client of the Web API.
        asked: the message.
        me: identity of the bot.

    Raises:
        SlackApiError: Slack does not return it.
    """
    if asked.thread == asked.at:
        return _direct_messages(client, asked, me) if asked.place.direct else Thread()
    whole = list(whole_thread(client, asked.place.channel, asked.thread))
    mine = [message for message in whole if _own(message, me)]
    answered = {stamp for message in mine for stamp in _answered(message)}
    before = [message for message in whole if _before(message, asked)]
    history: list[str] = []
    said: list[str] = []
    for message in before:
        if message in mine:
            continue
        text = spoken(str(message.get("text") or ""))
        if message.get("ts") in answered:
            history, said = [*history, *filter(None, [text])], []
        elif text and not message.get("bot_id"):
            said.append(text)
    last = before[-1] if before else {}
    unanswered = tuple(
        str(message["ts"])
        for message in before
        if f"<@{me.user}" in str(message.get("text")) and message.get("ts") not in answered
    )
    just = tuple(at for at in unanswered if float(asked.at) - float(at) < _JUST)
    return Thread(tuple(history)[-MAX_HISTORY:], tuple(said), bool(mine), _own(last, me), just)


def _direct_messages(client: WebClient, asked: IncomingQuestion, me: Identity) -> Thread:
    """Return the questions that were asked in direct messages within a day before."""
    since = float(asked.at) - _CONTINUES
    reply = client.conversations_history(
        channel=asked.place.channel, latest=asked.at, oldest=f"{since:.6f}", limit=_PAGE
    )
    people = [
        message
        for message in reply.get("messages") or ()
        if not _own(message, me) and not message.get("bot_id") and _before(message, asked)
    ]
    people.sort(key=lambda message: float(message.get("ts") or 0))
    texts = (spoken(str(message.get("text") or "")) for message in people)
    history = [text for text in texts if text and remark(text) is None]
    just = tuple(str(message["ts"]) for message in people if float(asked.at) - float(message["ts"]) < _JUST)
    return Thread(tuple(history)[-MAX_HISTORY:], open=just)


def whole_thread(client: WebClient, channel: str, thread: str) -> Iterator[Mapping[str, Any]]:
    """Yield the messages of a thread, oldest first.

    Args:
        client: client of the Web API.
        channel: id of the channel.
        thread: time stamp of the thread.

    Raises:
        SlackApiError: Slack does not return it.
    """
    cursor: str | None = None
    for _ in range(_PAGES):
        reply = client.conversations_replies(channel=channel, ts=thread, limit=_PAGE, cursor=cursor)
        yield from reply.get("messages") or ()
        cursor = (reply.get("response_metadata") or {}).get("next_cursor")
        if not cursor:
            return


def _own(message: Mapping[str, Any], me: Identity) -> bool:
    return message.get("user") == me.user or (bool(me.bot) and message.get("bot_id") == me.bot)


def _answered(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the time stamps of the questions that a message of the bot answers."""
    for block in message.get("blocks") or ():
        name = str(block.get("block_id") or "")
        if name.startswith(ANSWERED):
            yield name.removeprefix(ANSWERED).partition("-")[0]


def _before(message: Mapping[str, Any], asked: IncomingQuestion) -> bool:
    return float(message.get("ts") or 0) < float(asked.at)

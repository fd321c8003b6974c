"""Reading of threads and direct messages from Slack: the history of a conversation, and what people said."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.query.validation import MAX_HISTORY
from ui.slack.addressed import asks, in_context, worth_reading
from ui.slack.attached_file import AttachedFile, attached_files
from ui.slack.blocks import ANSWERED
from ui.slack.incoming import Identity, IncomingQuestion, spoken
from ui.slack.remarks import remark

if TYPE_CHECKING:
    from slack_sdk import WebClient

_PAGE = 200  # messages per request, the maximum that Slack recommends
_PAGES = 10
_JUST = 60.0  # seconds within which events of a conversation may come in another order
_CONTINUES = 24 * 3600.0  # seconds after which a direct message starts a new conversation
_BETWEEN = 4  # remarks of people after which a question does not follow the bot's answer any more
_NAME = re.compile(r"`([A-Za-z_][\w.]{3,})")


@dataclass(frozen=True, slots=True)
class Thread:
    """The part of a conversation before a message.

    Attributes:
        history: answered questions with what they were read with, oldest first.
        said: what people said since the bot's last answer and tells what it is about, oldest first.
        files: files that they attached.
        joined: whether the bot has posted in it.
        after_bot: whether nobody has asked anything since the bot's last message.
        named: names that the bot's messages show as code.
        open: time stamps of messages just before that ask the bot and have no answer yet.
    """

    history: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    files: tuple[AttachedFile, ...] = ()
    joined: bool = False
    after_bot: bool = False
    named: frozenset[str] = frozenset()
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
    files: list[AttachedFile] = []
    between = _BETWEEN + 1  # messages of people since the bot's last one
    opens = True
    for message in before:
        raw = str(message.get("text") or "")
        text, mentions = spoken(raw), f"<@{me.user}" in raw
        if message in mine:
            between = 0
        elif message.get("ts") in answered:
            before_it = worth_reading(said, opens=opens)
            history.append(in_context(text, before_it) if mentions else text)
            said, files, opens = [], [], False
        elif not message.get("bot_id"):
            said += filter(None, [text])
            files += attached_files(message)
            between += _BETWEEN + 1 if asks(text) or ("<@" in raw and not mentions) else 1
    unanswered = tuple(
        str(message["ts"])
        for message in before
        if f"<@{me.user}" in str(message.get("text")) and message.get("ts") not in answered
    )
    just = tuple(at for at in unanswered if float(asked.at) - float(at) < _JUST)
    return Thread(
        history=tuple(filter(None, history))[-MAX_HISTORY:],
        said=tuple(worth_reading(said, opens=opens)),
        files=tuple(files),
        joined=bool(mine),
        after_bot=between <= _BETWEEN,
        named=frozenset(name for message in mine for name in _names(message)),
        open=just,
    )


def _direct_messages(client: WebClient, asked: IncomingQuestion, me: Identity) -> Thread:
    """Return the questions that were asked in direct messages within a day before."""
    since = f"{float(asked.at) - _CONTINUES:.6f}"
    people: list[Mapping[str, Any]] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        reply = client.conversations_history(
            channel=asked.place.channel, latest=asked.at, oldest=since, limit=_PAGE, cursor=cursor
        )
        people += (
            message
            for message in reply.get("messages") or ()
            if not _own(message, me) and not message.get("bot_id") and _before(message, asked)
        )
        cursor = (reply.get("response_metadata") or {}).get("next_cursor")
        if not cursor or len(people) > MAX_HISTORY:
            break
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


def _names(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names in code of a message of the bot, whole and without what they belong to."""
    for block in message.get("blocks") or ():
        for name in _NAME.findall(str((block.get("text") or {}).get("text") or "")):
            last = name.rstrip(".").rpartition(".")[2]
            yield from (each for each in {name.rstrip("."), last} if not keyword.iskeyword(each))


def _before(message: Mapping[str, Any], asked: IncomingQuestion) -> bool:
    return float(message.get("ts") or 0) < float(asked.at)

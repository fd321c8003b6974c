"""Parsing of requests from Slack."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: Subtypes of messages written by a person: also sent to the channel, or with a file.
_SUBTYPES = (None, "thread_broadcast", "file_share")
_MENTION = re.compile(r"<@(?P<id>[A-Z0-9]+)(?:\|[^>]*)?>")
_MARKED = re.compile(r"<(?P<target>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
DIRECT = "dm"  # stands for direct messages in the list of channels


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of the bot.

    Attributes:
        user: user id.
        bot: bot id.
        name: user name.
        team: id of its team.
        team_name: name of its team.
    """

    user: str
    bot: str
    name: str
    team: str
    team_name: str


@dataclass(frozen=True, slots=True)
class MessageLocation:
    """Where an event occurred.

    Attributes:
        teams: teams of channel and user; several in shared channels.
        channel: id of the channel.
        direct: it is a direct message to the bot.
    """

    teams: frozenset[str]
    channel: str
    direct: bool


@dataclass(frozen=True, slots=True)
class IncomingQuestion:
    """A message that may be a question.

    Attributes:
        place: location.
        user: user who wrote it.
        at: time stamp, its id in the channel.
        thread: time stamp of the thread's first message; its own if it starts a thread.
        text: text without mentions.
        mentioned: the bot is mentioned, or addressed in a direct message.
        others: it starts with a mention of somebody else.
    """

    place: MessageLocation
    user: str
    at: str
    thread: str
    text: str
    mentioned: bool
    others: bool = False

    @property
    def key(self) -> str:
        """Key of the message for `State.claim`: a mention is sent as two events."""
        return f"message:{self.place.channel}:{self.at}"

    @property
    def thread_key(self) -> str:
        """Key of the thread."""
        return f"{self.place.channel}:{self.thread}"


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Teams and channels that may use the bot; empty: all.

    Attributes:
        teams: ids of teams.
        channels: ids of channels, and "dm" for direct messages.
    """

    teams: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset()

    def knows(self, teams: Collection[str]) -> bool:
        """Return whether all teams may use the bot.

        Args:
            teams: teams of a request.
        """
        return not self.teams or (bool(teams) and self.teams.issuperset(teams))

    def opens(self, place: MessageLocation) -> bool:
        """Return whether the bot answers in a channel; the team is checked by `knows`.

        Args:
            place: location of a request.
        """
        return not self.channels or (DIRECT if place.direct else place.channel) in self.channels


def read_message(body: Mapping[str, Any], me: Identity) -> IncomingQuestion | None:
    """Parse a message or mention.

    Args:
        body: body of the request.
        me: identity of the bot.

    Returns:
        The message; None for the bot's own messages, other bots, edits and notices.
    """
    event: Mapping[str, Any] = body.get("event") or {}
    user, channel, at = event.get("user"), event.get("channel"), event.get("ts")
    if event.get("subtype") not in _SUBTYPES or event.get("edited") or event.get("hidden"):
        return None
    if event.get("bot_id") or event.get("bot_profile") or user in (None, me.user, "USLACKBOT"):
        return None
    if not (isinstance(user, str) and isinstance(channel, str) and isinstance(at, str)):
        return None
    text = str(event.get("text") or "")
    named = [match["id"] for match in _MENTION.finditer(text)]
    direct = event.get("channel_type") == "im" or channel.startswith("D")
    mentioned = direct or me.user in named or event.get("type") == "app_mention"
    return IncomingQuestion(
        place=MessageLocation(teams_of(body, event), channel, direct),
        user=user,
        at=at,
        thread=str(event.get("thread_ts") or at),
        text=spoken(text),
        mentioned=mentioned,
        others=not mentioned and _MENTION.match(text.lstrip()) is not None,
    )


def read_place(body: Mapping[str, Any]) -> MessageLocation:
    """Return the location of a command or button.

    Args:
        body: body of the request.
    """
    channel = body.get("channel_id") or (body.get("channel") or {}).get("id") or ""
    direct = body.get("channel_name") == "directmessage" or str(channel).startswith("D")
    return MessageLocation(teams_of(body, body), str(channel), direct)


def teams_of(body: Mapping[str, Any], event: Mapping[str, Any]) -> frozenset[str]:
    """Return the teams of channel and user.

    Args:
        body: body of the request.
        event: event in it, or the body itself.
    """
    user, team = body.get("user"), body.get("team")
    named: Iterable[object] = (
        body.get("team_id"),
        team.get("id") if isinstance(team, Mapping) else None,
        user.get("team_id") if isinstance(user, Mapping) else None,
        event.get("user_team"),
        event.get("source_team"),
    )
    return frozenset(str(each) for each in named if each)


def spoken(text: str) -> str:
    """Return the text of a message as typed: without mentions, links replaced by their text.

    Args:
        text: text in Slack's format.

    >>> spoken("<@U1> is <https://x.org|x.org> in <#C1|general> &lt; 2.4?")
    'is x.org in #general < 2.4?'
    """
    text = _MENTION.sub(" ", text)
    text = _MARKED.sub(_unmarked, text)
    lines = (re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in html.unescape(text).split("\n"))
    return "\n".join(lines).strip()


def _unmarked(match: re.Match[str]) -> str:
    target, label = match["target"], match["label"] or ""
    if target[:1] == "!":  # @everyone, or a user group
        return " "
    if target[:1] == "#":
        return f"#{label}" if label else " "
    return label or target

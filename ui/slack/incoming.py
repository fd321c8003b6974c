"""What Slack sends, read: who asks what and where, or nothing that is a question."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: A message of these is words of a person: sent to the channel as well, or with a file.
_SUBTYPES = (None, "thread_broadcast", "file_share")
_MENTION = re.compile(r"<@(?P<id>[A-Z0-9]+)(?:\|[^>]*)?>")
_MARKED = re.compile(r"<(?P<target>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
DIRECT = "dm"  # in the list of channels: direct messages


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is: its user and bot ids, its name, its team's id and name."""

    user: str
    bot: str
    name: str
    team: str
    team_name: str


@dataclass(frozen=True, slots=True)
class MessageLocation:
    """Where something happens.

    Attributes:
        teams: of the channel and of who speaks; several where channels are shared.
        channel: its id.
        direct: a direct message to the bot.
    """

    teams: frozenset[str]
    channel: str
    direct: bool


@dataclass(frozen=True, slots=True)
class IncomingQuestion:
    """A message that may ask something.

    Attributes:
        place: where.
        user: who asks.
        at: the message's time stamp, its id in the channel.
        thread: time stamp of the first message of its thread; its own where it begins one.
        text: the words, without mentions.
        mentioned: the bot is named, or spoken to directly.
        others: somebody else is named at the beginning.
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
        """The message, for a claim: a mention comes as two events."""
        return f"message:{self.place.channel}:{self.at}"

    @property
    def thread_key(self) -> str:
        """The thread."""
        return f"{self.place.channel}:{self.thread}"


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Which teams and channels are let in; empty: all.

    Attributes:
        teams: ids.
        channels: ids, and "dm" for direct messages.
    """

    teams: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset()

    def knows(self, teams: Collection[str]) -> bool:
        """Whether all of the teams are let in."""
        return not self.teams or (bool(teams) and self.teams.issuperset(teams))

    def opens(self, place: MessageLocation) -> bool:
        """Whether a place of a team that is let in is one of those to answer in."""
        return not self.channels or (DIRECT if place.direct else place.channel) in self.channels


def read_message(body: Mapping[str, Any], me: Identity) -> IncomingQuestion | None:
    """A message or mention; None for what no person asks: own words, other bots, edits, notices."""
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
    """Where a command was typed or a button pressed."""
    channel = body.get("channel_id") or (body.get("channel") or {}).get("id") or ""
    direct = body.get("channel_name") == "directmessage" or str(channel).startswith("D")
    return MessageLocation(teams_of(body, body), str(channel), direct)


def teams_of(body: Mapping[str, Any], event: Mapping[str, Any]) -> frozenset[str]:
    """The teams that a request names, of the place and of the person."""
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
    """The words of a message as they were typed: mentions left out, links as their words.

    >>> spoken("<@U1> is <https://x.org|x.org> in <#C1|general> &lt; 2.4?")
    'is x.org in #general < 2.4?'
    """
    text = _MENTION.sub(" ", text)
    text = _MARKED.sub(_unmarked, text)
    lines = (re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in html.unescape(text).split("\n"))
    return "\n".join(lines).strip()


def _unmarked(match: re.Match[str]) -> str:
    target, label = match["target"], match["label"] or ""
    if target[:1] == "!":  # everybody, or a group
        return " "
    if target[:1] == "#":
        return f"#{label}" if label else " "
    return label or target

"""Parsing of requests from Slack."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ui.slack.attached_file import AttachedFile, attached_files
from ui.slack.code_fences import snippet_in

#: Subtypes of messages written by a person: also sent to the channel, or with a file.
_SUBTYPES = (None, "thread_broadcast", "file_share")
_MENTION = re.compile(r"<@(?P<id>[A-Z0-9]+)(?:\|[^<>]*)?>")
_MARKED = re.compile(r"<(?P<target>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
_GROUP = re.compile(r"<!(?:subteam|here|channel|everyone)\b")
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
        others: it mentions other people or groups.
        edited: it is an earlier message, changed.
        files: attached files.
        code: code between fences, with its indentation, which `text` has lost.
    """

    place: MessageLocation
    user: str
    at: str
    thread: str
    text: str
    mentioned: bool
    others: bool = False
    edited: bool = False
    files: tuple[AttachedFile, ...] = ()
    code: str = ""

    def to_task(self) -> dict[str, Any]:
        """Return the task of a job for it."""
        return {
            "kind": "message",
            "teams": sorted(self.place.teams),
            "channel": self.place.channel,
            "direct": self.place.direct,
            "user": self.user,
            "asked_at": self.at,
            "since": self.at,
            "thread": self.thread,
            "text": self.text,
            "mentioned": self.mentioned,
            "files": [asdict(file) for file in self.files],
            "code": self.code,
        }

    @classmethod
    def from_task(cls, task: Mapping[str, Any]) -> IncomingQuestion:
        """Return the message of a task.

        Args:
            task: made by `to_task`.
        """
        return cls(
            place=MessageLocation(frozenset(task["teams"]), task["channel"], task["direct"]),
            user=task["user"],
            at=task["asked_at"],
            thread=task["thread"],
            text=task["text"],
            mentioned=task["mentioned"],
            files=tuple(AttachedFile(**file) for file in task["files"]),
            code=task.get("code", ""),  # tasks of earlier versions have none
        )

    @property
    def key(self) -> str:
        """Key of the message for `State.claim`: a mention is sent as two events."""
        return f"message:{self.place.channel}:{self.at}"

    @property
    def mention_key(self) -> str:
        """Key of the mention that the message is, or may be edited into."""
        return f"mention:{self.place.channel}:{self.at}"

    @property
    def keys(self) -> tuple[str, ...]:
        """All keys of the message: one that is edited into a mention counts once more."""
        if self.edited:
            return (self.mention_key,)
        return (self.key, self.mention_key) if self.mentioned else (self.key,)

    @property
    def lane(self) -> str:
        """Key of what is answered in order: the thread, or the direct messages outside of threads."""
        alone = self.place.direct and self.thread == self.at
        return f"{self.place.channel}:" if alone else self.thread_key

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
        The message; None for the bot's own messages, other bots, notices, and edits that do not mention it.
    """
    event: Mapping[str, Any] = body.get("event") or {}
    edited = event.get("subtype") == "message_changed" or "edited" in event
    if event.get("subtype") == "message_changed":
        event = _changed(event)
    user, channel, at = event.get("user"), event.get("channel"), event.get("ts")
    if event.get("subtype") not in _SUBTYPES or event.get("hidden"):
        return None
    if event.get("bot_id") or event.get("bot_profile") or user in (None, me.user, "USLACKBOT"):
        return None
    if not (isinstance(user, str) and isinstance(channel, str) and isinstance(at, str)):
        return None
    text = str(event.get("text") or "")
    named = [match["id"] for match in _MENTION.finditer(text)]
    direct = event.get("channel_type") == "im" or channel.startswith("D")
    mentioned = direct or me.user in named or event.get("type") == "app_mention"
    if edited and me.user not in named:
        return None
    return IncomingQuestion(
        place=MessageLocation(teams_of(body, event), channel, direct),
        user=user,
        at=at,
        thread=str(event.get("thread_ts") or at),
        text=spoken(text),
        mentioned=mentioned,
        others=bool({*named} - {me.user}) or _GROUP.search(text) is not None,
        edited=edited,
        files=attached_files(event),
        code=snippet_in(text),
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


def _changed(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the new message of an edit, like a message that was just written."""
    message: Mapping[str, Any] = event.get("message") or {}
    place = {name: event[name] for name in ("channel", "channel_type") if name in event}
    return {**message, **place, "type": "message"}


def _unmarked(match: re.Match[str]) -> str:
    target, label = match["target"], match["label"] or ""
    if target[:1] == "!":  # @everyone, or a user group
        return " "
    if target[:1] == "#":
        return f"#{label}" if label else " "
    return label or target

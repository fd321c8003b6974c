"""Channels of a Slack: their messages, and the methods of the Web API that read and write them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from tests.ui.slack.handler import Json

TEAM, BOT, BOT_ID, ANN, BOB = "T1", "UBOT", "BBOT", "UANN", "UBOB"
CHANNEL, DM = "C1", "D1"


@dataclass
class Channels:
    """Messages.

    Attributes:
        channels: messages by channel, oldest first.
        outside: channels that the bot is not in.
    """

    channels: dict[str, list[Json]] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)
    _number: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def stamp(self) -> str:
        """A new time stamp."""
        return f"1700000000.{next(self._number):06d}"

    def method(self, method: str, sent: Json) -> Json:
        """What a method replies."""
        name = method.rpartition(".")[2]
        if (
            name in ("postMessage", "update", "delete", "replies", "history")
            and sent["channel"] in self.outside
        ):
            return {"ok": False, "error": "not_in_channel"}
        does = {
            "auth.test": self.identity,
            "chat.postMessage": self.post,
            "chat.update": self.update,
            "chat.delete": self.delete,
            "chat.getPermalink": self.permalink,
            "conversations.replies": self.replies,
            "conversations.history": self.history,
        }
        return does[method](sent) if method in does else {}

    def post(self, sent: Json) -> Json:
        """A message of the bot's."""
        message = {**sent, "user": BOT, "bot_id": BOT_ID, "ts": self.stamp()}
        self.channels.setdefault(sent["channel"], []).append(message)
        return {"ts": message["ts"], "channel": sent["channel"], "message": message}

    def update(self, sent: Json) -> Json:
        """A message of the bot's, changed."""
        for message in self.channels.get(sent["channel"], ()):
            if message["ts"] == sent["ts"]:
                message |= sent
                return {"ts": sent["ts"]}
        return {"ok": False, "error": "message_not_found"}

    def delete(self, sent: Json) -> Json:
        """A message of the bot's, deleted."""
        messages = self.channels.get(sent["channel"], [])
        for message in messages:
            if message["ts"] == sent["ts"] and message["user"] == BOT:
                messages.remove(message)
                return {"ts": sent["ts"]}
        return {"ok": False, "error": "message_not_found"}

    def permalink(self, sent: Json) -> Json:
        """The address of a message."""
        name = sent["message_ts"].replace(".", "")
        return {"permalink": f"https://team.slack.com/archives/{sent['channel']}/p{name}"}

    def replies(self, sent: Json) -> Json:
        """A page of a thread, two messages at a time."""
        messages = [
            m for m in self.channels.get(sent["channel"], ()) if sent["ts"] in (m["ts"], m.get("thread_ts"))
        ]
        if not messages:
            return {"ok": False, "error": "thread_not_found"}
        root = [m for m in messages if m["ts"] == sent["ts"]]
        return self._page(sent, root + [m for m in _within(sent, messages) if m not in root])

    def history(self, sent: Json) -> Json:
        """A page of a channel's messages outside of threads, newest first."""
        whole = [m for m in self.channels.get(sent["channel"], ()) if m.get("thread_ts") in (None, m["ts"])]
        return self._page(sent, _within(sent, whole)[::-1])

    def identity(self, sent: Json) -> Json:
        """Who the bot is."""
        return {"user_id": BOT, "bot_id": BOT_ID, "user": "torchnotes", "team_id": TEAM, "team": "Team"}

    def _page(self, sent: Json, messages: list[Json]) -> Json:
        start = int(sent.get("cursor") or 0)
        following = str(start + 2) if start + 2 < len(messages) else ""
        return {"messages": messages[start : start + 2], "response_metadata": {"next_cursor": following}}


def _within(sent: Json, messages: list[Json]) -> list[Json]:
    oldest, latest = float(sent.get("oldest") or 0), float(sent.get("latest") or "inf")
    return [m for m in messages if oldest < float(m["ts"]) < latest]

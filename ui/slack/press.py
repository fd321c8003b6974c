"""Parsing of presses of buttons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from ingest.document import LANGUAGES, Language
from ui.slack.blocks import ACTION


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a button.

    Attributes:
        channel: id of the channel.
        user: user who pressed it.
        does: suffix of its action_id.
        kept: id of the answer.
        language: language of the answer; "" for answers of older versions.
        thread: time stamp of the answer's thread.
        message: time stamp of the message.
        private: only this user sees the answer.
        url: response URL.
        trigger: id for opening a form, valid for three seconds.
        at: time stamp of the press, the same if Slack sends it again.
    """

    channel: str
    user: str
    does: str
    kept: str
    language: str
    thread: str
    message: str
    private: bool
    url: str
    trigger: str
    at: str

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Press:
        """Parse the request.

        Args:
            body: body of the request.
        """
        action, held = body["actions"][0], body.get("container") or {}
        message = body.get("message") or {}
        thread = held.get("thread_ts") or message.get("thread_ts") or held.get("message_ts") or ""
        kept, _, language = str(action.get("value") or "").partition(":")
        return cls(
            channel=str((body.get("channel") or {}).get("id") or held.get("channel_id") or ""),
            user=str(body["user"]["id"]),
            does=str(action["action_id"]).removeprefix(ACTION),
            kept=kept,
            language=language if language in LANGUAGES else "",
            thread=str(thread),
            message=str(held.get("message_ts") or thread),
            private=bool(held.get("is_ephemeral")),
            url=str(body.get("response_url") or ""),
            trigger=str(body.get("trigger_id") or ""),
            at=str(action.get("action_ts") or body.get("trigger_id")),
        )

    @property
    def key(self) -> str:
        """Key of the press for `State.claim`."""
        return f"press:{self.kept}:{self.does}:{self.user}:{self.at}"

    def spoken_in(self, texts: Mapping[Language, str]) -> str:
        """Return a text in the language of the answer, in both if that is unknown.

        Args:
            texts: the text by language.
        """
        return texts[cast("Language", self.language)] if self.language else "\n".join(texts.values())

    def to_task(self) -> dict[str, Any]:
        """Return the task of a job for it."""
        task: dict[str, Any] = {"kind": "press", "press": asdict(self), "channel": self.channel}
        task |= {"user": self.user, "thread": self.thread, "since": self.message}
        return task | ({"url": self.url} if self.private else {})

"""What people do in a Slack, and what they must see at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.ui.slack.server import ANN, BOT, CHANNEL, FakeSlack
from ui.slack import bot_messages as words

#: A question that is answered, a remark that has a short reply, or what is left alone.
Expects = Literal["answer", "reply", "silence"]
#: Content and type of the files that people attach.
FILES = {
    "train.log": (b"step 1\nRuntimeError: TCPStore timed out\n", "text/plain"),
    "loss.png": (b"\x89PNG", "image/png"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a person writes.

    Attributes:
        text: with "@bot" for a mention of the bot.
        expects: what the bot does.
        thread: name of the thread; "" for a message of its own.
        opens: name of the thread that it opens.
        user: who writes.
        channel: where.
        edits: text of the message before it is edited to `text`; "" if it is not.
        more: further fields of the event.
        holds: words that the answer has.
        soon: the next message comes before this one is answered.
        outage: Slack takes no request meanwhile.
        files: names of the attached files, whose content is `FILES`.
    """

    text: str
    expects: Expects = "answer"
    thread: str = ""
    opens: str = ""
    user: str = ANN
    channel: str = CHANNEL
    edits: str = ""
    more: dict[str, Any] = field(default_factory=dict)
    holds: str = ""
    soon: bool = False
    outage: bool = False
    files: tuple[str, ...] = ()


def say(slack: FakeSlack, said: Said, thread: str) -> dict[str, Any]:
    """Write a message; its event."""
    text = said.text.replace("@bot", f"<@{BOT}>")
    files = [slack.attached(name, *FILES[name]) for name in said.files]
    more = {**said.more, **({"subtype": "file_share", "files": files} if files else {})}
    return slack.says(text, user=said.user, channel=said.channel, thread=thread, **more)


def events_of(slack: FakeSlack, said: Said, event: dict[str, Any]) -> list[dict[str, Any]]:
    """The events that Slack sends for a message: those of its first text, then those of its edit."""
    if not said.edits:
        return _sent(event)
    edited = {**event, "edited": {"user": said.user, "ts": "1"}}
    place = {name: event[name] for name in ("channel", "channel_type")}
    change = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": slack.stamp(), **place}
    first = _sent({**event, "text": said.edits.replace("@bot", f"<@{BOT}>")})
    return [*first, {**change, "message": edited}, *_sent(edited)[1:]]


def _sent(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a message: a mention is sent twice."""
    return [event, *([{**event, "type": "app_mention"}] if BOT in event["text"] else [])]


def check(slack: FakeSlack, played: Sequence[tuple[Said, str]]) -> None:
    """Check that each question has one answer, each remark one reply, and nothing else was posted."""
    messages = [message for channel in slack.channels.values() for message in channel]
    own = [message for message in messages if message["user"] == BOT]
    waiting = {*words.THINKING.values(), *words.QUEUED.values()}
    assert [message["text"] for message in own if message["text"] in waiting] == []
    answered: dict[str, list[dict[str, Any]]] = {}
    for message in own:
        name = str(message["blocks"][0].get("block_id", ""))
        if name.startswith("torchnotes-"):
            answered.setdefault(name.split("-")[1], []).append(message)
    wrong = [
        (said.text, len(answered.get(at, ())))
        for said, at in played
        if len(answered.get(at, ())) != (said.expects == "answer")
    ]
    assert wrong == [], f"not answered once, or answered although it is no question: {wrong}"
    replies = sum(said.expects == "reply" for said, _ in played)
    assert len(own) == sum(map(len, answered.values())) + replies, [message["text"] for message in own]
    missing = [
        (said.holds, answered[at][0]["text"])
        for said, at in played
        if said.holds and said.holds not in str(answered[at][0]["blocks"])
    ]
    assert missing == []
    assert slack.problems == []

"""Mentions, direct messages, threads, the slash command and the Home tab, over a local Slack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ui.slack.app_states import keeping
from tests.ui.slack.conftest import connected, service_of
from tests.ui.slack.server import ANN, BOB, BOT, CHANNEL, DM, TEAM, FakeSlack
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words
from ui.slack.service import Service

QUESTION = "What is the default backend of TCPStore in 2.4?"
FOLLOW_UP = "And is FSDP2 a prototype there?"


def mention(slack: FakeSlack, text: str, **more: Any) -> dict[str, Any]:
    """Somebody names the bot; both events of it come."""
    event = slack.says(f"<@{BOT}> {text}", **more)
    slack.deliver(event)
    slack.deliver({**event, "type": "app_mention"})
    return event


def text_of(message: dict[str, Any]) -> str:
    """All words of a message."""
    parts = [block["text"]["text"] for block in message["blocks"] if "text" in block]
    parts += [e["text"] for b in message["blocks"] if b["type"] == "context" for e in b["elements"]]
    return "\n".join(parts)


@pytest.mark.usefixtures("bot")
def test_a_mention_is_answered_in_its_thread(slack: FakeSlack) -> None:
    event = mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    (answer,) = slack.said()
    assert answer["thread_ts"] == event["ts"] and "libuv" in text_of(answer)
    assert "[1] [2] <https://example.org/notes/2.4|PyTorch 2.4" in text_of(answer)
    first, *_ = slack.called("chat.postMessage")
    assert first["text"] == words.THINKING["en"]
    assert slack.called("chat.update")[0]["ts"] == answer["ts"]


@pytest.mark.usefixtures("bot")
def test_a_direct_message_needs_no_mention_and_is_answered_in_its_language(slack: FakeSlack) -> None:
    event = slack.says("FlexAttention 是哪个版本加入的？", channel=DM)
    slack.deliver(event)
    slack.until(lambda: slack.answers(DM))
    (answer,) = slack.said(DM)
    assert answer["thread_ts"] == event["ts"] and "加入的原型功能" in text_of(answer)
    assert slack.called("chat.postMessage")[0]["text"] == words.THINKING["zh"]


@pytest.mark.parametrize("forgets", [False, True], ids=["same state", "state lost"])
def test_a_follow_up_needs_no_mention_also_after_a_restart(
    slack: FakeSlack, app_state: AppState, tmp_path: Path, forgets: bool
) -> None:
    with connected(service_of(slack, app_state, tmp_path / "one.sqlite3")):
        slack.until(lambda: slack.connections)
        event = mention(slack, QUESTION)
        slack.until(lambda: slack.answers())
    slack.says("Thanks, that helps", user=BOB, thread=event["ts"])  # while nobody listens
    slack.until(lambda: not slack.connections)
    other, kept = keeping(app_state)
    with connected(service_of(slack, other, tmp_path / ("two" if forgets else "one.sqlite3"))):
        slack.until(lambda: slack.connections)
        slack.deliver(slack.says(FOLLOW_UP, user=BOB, thread=event["ts"]))
        slack.until(lambda: len(slack.answers()) == 2)
    assert [each[:2] for each in kept] == [(FOLLOW_UP, (QUESTION,))]
    assert {message["thread_ts"] for message in slack.said()} == {event["ts"]}


def test_what_is_not_for_the_bot_is_left_alone(slack: FakeSlack, bot: Service) -> None:
    ours = mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    foreign = slack.says("Shall we go for lunch?")
    told = slack.says("What do you think?", user=BOB)
    quiet = [
        foreign,
        told,
        slack.says("Italian?", thread=foreign["ts"]),
        slack.says("Or Thai?", thread=foreign["ts"]),
        slack.says(f"<@{BOB}> what do you think?", thread=ours["ts"]),
        slack.says(f"<@{BOT}> from a bot", user=BOB, bot_id="B9"),
        slack.says("my own words", user=BOT, thread=ours["ts"], bot_id="BBOT"),
        slack.says("Slackbot", user="USLACKBOT", channel=DM),
        slack.says("has joined", subtype="channel_join", thread=ours["ts"]),
        slack.says("edited", edited={"user": ANN, "ts": "1"}, thread=ours["ts"]),
        {"type": "message", "subtype": "message_changed", "channel": CHANNEL, "ts": "9.9", "hidden": True},
        {"type": "message", "subtype": "message_deleted", "channel": CHANNEL, "ts": "9.8", "hidden": True},
        {"type": "reaction_added", "user": ANN},
    ]
    envelopes = [slack.deliver(event) for event in quiet]
    slack.until(lambda: set(envelopes) <= set(slack.acked), "everything is acknowledged, else it comes again")
    last = mention(slack, "And FSDP2?")
    slack.until(lambda: len(slack.answers()) == 2)
    posted = [sent["thread_ts"] for sent in slack.called("chat.postMessage")]
    assert posted == [ours["ts"], last["ts"]] and slack.called("chat.postEphemeral") == []


@pytest.mark.usefixtures("bot")
def test_a_mention_without_words_is_told_how_to_ask(slack: FakeSlack) -> None:
    mention(slack, "  ")
    slack.until(lambda: slack.said())
    (said,) = slack.said()
    assert "torch.compile in 2.4?" in said["text"] and "请带上问题" in said["text"] and slack.answers() == []


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize(
    ("text", "line"),
    [("9.9 " + "x" * 4000, "characters; at most 4000 are read"), ("? ?", "ask in words")],
    ids=["too long", "no words"],
)
def test_what_cannot_be_asked_is_told_in_one_line(slack: FakeSlack, text: str, line: str) -> None:
    mention(slack, text)
    slack.until(lambda: slack.called("chat.update"))
    assert line in text_of(slack.said()[-1])


def slash(slack: FakeSlack, text: str, **more: Any) -> str:
    """Somebody types the command."""
    payload = {
        "command": "/torchnotes",
        "text": text,
        "user_id": ANN,
        "team_id": TEAM,
        "channel_id": CHANNEL,
        "channel_name": "general",
        "trigger_id": slack.stamp(),
        "response_url": slack.respond_url,
    }
    return slack.send("slash_commands", payload | more)


@pytest.mark.usefixtures("bot")
def test_the_command_answers_the_asker_alone(slack: FakeSlack) -> None:
    envelope = slash(slack, "2.4 TCPStore <http://a.b|backend> <!channel> ?")
    slack.until(lambda: slack.called("respond"))
    (answer,) = slack.called("respond")
    assert slack.acked[envelope] == {"response_type": "ephemeral", "text": words.THINKING["en"]}
    assert answer["response_type"] == "ephemeral" and answer["replace_original"] is True
    assert "libuv" in text_of(answer) and "2.4 TCPStore backend ?" in text_of(answer)
    assert slack.said() == []


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize(
    "text",
    [
        "怎么在 2.4 里 disable libuv backend of TCPStore",
        "2.4 de TCPStore moren houduan shi shenme",
        "PyTorch 2.4 TCPStore default backend libuv new features 哪些",
    ],
)
def test_a_question_is_acknowledged_in_the_language_of_its_answer(
    slack: FakeSlack, app_state: AppState, text: str
) -> None:
    language = app_state.assistant().ask(text).language
    envelope = slash(slack, text)
    slack.until(lambda: slack.called("respond"))
    assert slack.acked[envelope]["text"] == words.THINKING[language]


@pytest.mark.usefixtures("bot")
def test_the_command_alone_says_how_it_is_used(slack: FakeSlack) -> None:
    envelope = slash(slack, " ")
    slack.until(lambda: envelope in slack.acked)
    assert "torch.compile" in slack.acked[envelope]["text"] and slack.called("respond") == []


@pytest.mark.usefixtures("bot")
def test_the_home_tab_has_examples_and_what_is_indexed(slack: FakeSlack) -> None:
    slack.deliver({"type": "app_home_opened", "user": ANN, "tab": "messages", "channel": DM})
    slack.deliver({"type": "app_home_opened", "user": ANN, "tab": "home", "channel": DM})
    slack.until(lambda: slack.called("views.publish"))
    (sent,) = slack.called("views.publish")
    told = str(sent["view"])
    assert sent["user_id"] == ANN and "3 documents, on PyTorch 2.3 – 2.5" in told
    assert "FlexAttention 是哪个版本加入的" in told and "FSDP2" in told

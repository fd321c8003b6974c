"""Short replies, "stop", and the buttons that delete, share and call for help."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from assistant.answer import Answer
from tests.ui.slack.app_states import OtherDesk
from tests.ui.slack.conftest import Start, idle
from tests.ui.slack.server import ANN, BOB, CHANNEL, DM, FakeSlack
from tests.ui.slack.test_conversation import QUESTION, mention, slash, text_of
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words
from ui.slack.service import Service


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("help", words.HELP["en"]),
        ("怎么用？", words.HELP["zh"]),
        ("hi", words.HELLO["en"]),
        ("你是谁", words.WHO["zh"]),
        ("thanks!", words.WELCOME["en"]),
    ],
)
def test_a_remark_has_its_own_short_reply(slack: FakeSlack, text: str, reply: str) -> None:
    slack.deliver(slack.says(text, channel=DM))
    slack.until(lambda: slack.said(DM))
    (said,) = slack.said(DM)
    assert said["text"] == reply and slack.called("chat.update") == []
    envelope = slash(slack, text)
    slack.until(lambda: envelope in slack.acked)
    assert slack.acked[envelope]["text"].startswith(reply[:20])


def test_stop_ends_what_waits_and_the_bot_is_silent_until_it_is_named(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    go, begun = threading.Event(), threading.Event()

    def ask(question: str, history: tuple[str, ...], **options: Any) -> Answer:
        begun.set()
        assert go.wait(30)
        return app_state.assistant().ask(question, history, **options)

    bot = start(OtherDesk(app_state, ask))
    thread = mention(slack, QUESTION)["ts"]
    assert begun.wait(30)
    mention(slack, "and FSDP2?", thread=thread)
    slack.until(lambda: len(slack.said()) == 2)
    slack.deliver(slack.says("stop", thread=thread, user=BOB))
    slack.until(lambda: len(slack.said()) == 3)
    go.set()
    slack.until(lambda: slack.said()[1]["text"] == words.CANCELLED["en"])
    assert slack.said()[2]["text"] == words.STOPPED["en"]
    slack.deliver(slack.says("and is FSDP2 a prototype in 2.4?", thread=thread))
    idle(bot)
    count = len(slack.said())
    mention(slack, "is FSDP2 a prototype in 2.4?", thread=thread)
    slack.until(lambda: len(slack.answers()) == count - 1)
    assert "FSDP2" in text_of(slack.answers()[-1])


def test_only_who_asked_deletes_an_answer_and_all_of_it(slack: FakeSlack, bot: Service) -> None:
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    answer = slack.answers()[0]
    slack.press(answer, "quotes")
    slack.until(lambda: len(slack.said()) == 2)
    slack.press(answer, "delete", user=BOB)
    slack.until(lambda: slack.called("respond"))
    assert slack.called("respond")[0]["text"] == words.NOT_YOURS["en"] and len(slack.said()) == 2
    slack.press(answer, "delete", user=ANN)
    slack.until(lambda: slack.said() == [])
    idle(bot)
    assert slack.called("respond")[-1]["text"] == words.DELETED["en"]


def test_a_private_answer_is_shared_in_the_channel(slack: FakeSlack, bot: Service) -> None:
    slash(slack, QUESTION)
    slack.until(lambda: slack.called("respond"))
    private = {**slack.called("respond")[0], "private": True}
    slack.outside.add(CHANNEL)
    slack.press(private, "share")
    slack.until(lambda: len(slack.called("respond")) == 2)
    idle(bot)
    slack.outside.clear()
    assert slack.called("respond")[1]["text"] == words.UNSHARED["en"].replace("/invite @", "/invite @")
    slack.press(private, "share", user=BOB)
    slack.until(lambda: slack.said())
    (shared,) = slack.said()
    assert "libuv" in text_of(shared) and f"Shared by <@{BOB}> · {QUESTION}" in text_of(shared)
    assert "Only you see this" not in text_of(shared) and "torchnotes_share" not in str(shared)
    assert not shared.get("thread_ts")


@pytest.mark.parametrize(
    ("helper", "place", "holds"),
    [
        ("UHELP", CHANNEL, "<@UHELP> <@UANN> still needs help"),
        ("CHELP", "CHELP", "https://team.slack.com/archives/C1/"),
    ],
)
def test_a_question_that_still_needs_help_is_passed_on(
    slack: FakeSlack, start: Start, helper: str, place: str, holds: str
) -> None:
    bot = start(helper=helper)
    thread = mention(slack, QUESTION)["ts"]
    slack.until(lambda: slack.answers())
    answer = slack.answers()[0]
    slack.press(answer, "help")
    slack.until(lambda: any(holds in text_of(message) for message in slack.said(place)))
    assert slack.said(place)[-1].get("thread_ts") == (thread if place == CHANNEL else None)
    slack.press(answer, "help", user=BOB)
    idle(bot)
    slack.until(lambda: any(sent["text"] == words.SHOWN["en"] for sent in slack.called("respond")))


def test_what_cannot_be_asked_is_told_in_the_language_of_the_question(slack: FakeSlack, bot: Service) -> None:
    mention(slack, "这是什么？" * 1000)
    slack.until(lambda: slack.called("chat.update"))
    assert "最多读 4000 个" in slack.said()[0]["text"]

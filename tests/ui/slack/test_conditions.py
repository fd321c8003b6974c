"""Real conditions: retries, two workers, limits, lost connections, slow answers, and who is let in."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.answer import Answer
from ingest.errors import TorchnotesError
from tests.ui.slack.app_states import OtherDesk
from tests.ui.slack.conftest import Start, connected, idle, service_of
from tests.ui.slack.server import APP_TOKEN, BOB, BOT, BOT_TOKEN, CHANNEL, DM, SECRET, FakeSlack
from tests.ui.slack.test_conversation import QUESTION, mention, slash, text_of
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words
from ui.slack.incoming import AccessPolicy
from ui.slack.jobs import Job
from ui.slack.service import Service


def settled(slack: FakeSlack, envelopes: Sequence[str]) -> None:
    """Wait until envelopes are acknowledged."""
    slack.until(lambda: set(envelopes) <= set(slack.acked))


@pytest.mark.usefixtures("bot")
def test_a_storm_of_retries_is_answered_once(slack: FakeSlack) -> None:
    event = slack.says(f"<@{BOT}> {QUESTION}")
    settled(slack, [slack.deliver(event, "Ev0", retry=number) for number in (None, 1, 2, 3, 4)])
    settled(slack, [slack.deliver({**event, "type": "app_mention"}, "Ev00", retry=n) for n in (None, 1, 2)])
    slack.until(lambda: slack.answers())
    mention(slack, "And FSDP2?")
    slack.until(lambda: len(slack.answers()) == 2)
    assert len(slack.said()) == 2 == len(slack.called("chat.update"))


def test_two_workers_answer_an_event_once(slack: FakeSlack, start: Start) -> None:
    first, second = start(), start()
    assert first.state.path == second.state.path and len(slack.connections) == 2
    event = slack.says(f"<@{BOT}> {QUESTION}")
    settled(slack, [slack.deliver(event, "Ev0", to=number % 2, retry=number) for number in range(8)])
    slack.until(lambda: slack.answers())
    for number in range(4):
        slack.deliver(slack.says("And FSDP2?", thread=event["ts"]), f"Ev1{number}", to=number % 2)
    slack.until(lambda: len(slack.answers()) == 5)
    assert len(slack.said()) == 5


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize("method", ["chat.postMessage", "chat.update", "conversations.replies"])
def test_a_limit_is_waited_out(slack: FakeSlack, method: str) -> None:
    root = slack.says("Before")
    slack.fail(method, 429, error="ratelimited", Retry_After="1")
    begun = time.monotonic()
    mention(slack, QUESTION, thread=root["ts"])
    slack.until(lambda: slack.answers())
    assert time.monotonic() - begun >= 1 and len(slack.called(method)) >= 2
    assert "libuv" in text_of(slack.said()[-1])


@pytest.mark.usefixtures("bot")
def test_a_limit_on_private_answers_is_waited_out(slack: FakeSlack) -> None:
    slack.fail("respond", 429, error="ratelimited", Retry_After="0")
    slash(slack, QUESTION)
    slack.until(lambda: len(slack.called("respond")) == 2)


@pytest.mark.usefixtures("bot")
def test_a_lost_connection_is_made_anew(slack: FakeSlack) -> None:
    before = slack.connections[0]
    slack.close_sockets()
    slack.until(lambda: slack.connections and slack.connections[0] is not before)
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())


@pytest.mark.usefixtures("bot")
def test_slack_may_ask_for_another_connection(slack: FakeSlack) -> None:
    before = slack.connections[0]
    before.send('{"type": "disconnect", "reason": "refresh_requested"}')
    slack.until(lambda: slack.connections and slack.connections[-1] is not before)
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())


def test_a_slow_answer_delays_no_other_and_is_acknowledged_at_once(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    go = threading.Event()

    def ask(question: str, history: tuple[str, ...], **options: Any) -> Answer:
        if "slow" in question:
            assert go.wait(30)
        return app_state.assistant().ask(question, history, **options)

    start(OtherDesk(app_state, ask))
    slow = slack.says(f"<@{BOT}> slow: {QUESTION}")
    envelope = slack.deliver(slow)
    slack.until(
        lambda: envelope in slack.acked and slack.said(), "acknowledged, and said to be thought about"
    )
    assert slack.said()[0]["text"] == words.THINKING["en"]
    quick = mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    assert [message["thread_ts"] for message in slack.answers()] == [quick["ts"]]
    go.set()
    slack.until(lambda: len(slack.answers()) == 2)


def test_too_many_are_told_so_and_answered_all_the_same(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    go = threading.Event()

    def ask(question: str, history: tuple[str, ...], **options: Any) -> Answer:
        assert go.wait(30)
        return app_state.assistant().ask(question, history, **options)

    start(OtherDesk(app_state, ask), at_once=1, waiting=1)
    events = [mention(slack, QUESTION) for _ in range(3)]
    slack.until(lambda: any(m["text"] == words.QUEUED["en"] for m in slack.said()))
    go.set()
    slack.until(lambda: len(slack.answers()) == 3)
    assert sorted(message["thread_ts"] for message in slack.said()) == sorted(event["ts"] for event in events)


def test_a_fault_of_ours_is_one_line_and_goes_into_the_log(
    slack: FakeSlack, app_state: AppState, start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    def ask(question: str, history: tuple[str, ...], **options: Any) -> Answer:
        raise ZeroDivisionError(f"in {question}")

    start(OtherDesk(app_state, ask))
    mention(slack, "2.4 怎么了？")
    slack.until(lambda: slack.called("chat.update"))
    assert slack.said()[0]["text"] == words.BROKEN["zh"]
    assert "ZeroDivisionError" in caplog.text and "Traceback" in caplog.text


def test_an_error_for_the_user_is_shown_and_harmless(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    def ask(question: str, history: tuple[str, ...], **options: Any) -> Answer:
        raise TorchnotesError("nothing in <!channel> & *args; type `torchnotes doctor`")

    start(OtherDesk(app_state, ask))
    mention(slack, QUESTION)
    slack.until(lambda: slack.called("chat.update"))
    assert slack.said()[0]["text"] == "nothing in &lt;!channel&gt; &amp; `*args`; type `torchnotes doctor`"


def test_a_state_that_cannot_be_written_costs_the_buttons_only(
    slack: FakeSlack, bot: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(answer: str, kept: dict[str, Any], *, save: Job, claim: object) -> None:
        raise TorchnotesError("no room in /srv/secret-place")

    monkeypatch.setattr(bot.state, "keep", full)
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    assert "libuv" in text_of(slack.said()[0]) and "secret-place" not in str(slack.calls)
    assert "no room" in caplog.text


@pytest.mark.usefixtures("bot")
def test_a_deleted_placeholder_does_not_lose_the_answer(slack: FakeSlack) -> None:
    slack.fail("chat.update", error="message_not_found")
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())


@pytest.mark.usefixtures("bot")
def test_an_answer_whose_form_slack_refuses_is_posted_as_words_alone(
    slack: FakeSlack, caplog: pytest.LogCaptureFixture
) -> None:
    slack.fail("chat.update", error="msg_too_long")
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    (said,) = slack.said()
    assert "libuv" in text_of(said) and len(said["blocks"]) == 1
    assert "msg_too_long" in caplog.text


def test_a_thread_of_others_is_read_once_until_the_bot_is_named(slack: FakeSlack, bot: Service) -> None:
    root = slack.says("Shall we go for lunch?")["ts"]

    def hears(text: str) -> int:
        event = slack.says(text, thread=root)
        bot.message({"event": event, "event_id": event["ts"], "team_id": "T1"})
        idle(bot)
        return len(slack.answers())

    assert [hears("Italian?"), hears("Thai?"), hears("Or pizza?")] == [0, 0, 0]
    assert len(slack.called("conversations.replies")) == 1
    assert [hears(f"<@{BOT}> {QUESTION}"), hears("And FSDP2?")] == [1, 2]


@pytest.mark.usefixtures("bot")
def test_a_thread_that_slack_does_not_give_is_answered_where_the_bot_is_named(
    slack: FakeSlack, caplog: pytest.LogCaptureFixture
) -> None:
    slack.fail("conversations.replies", error="missing_scope")
    mention(slack, QUESTION, thread="1600000000.000001")
    slack.until(lambda: slack.answers())
    assert "missing_scope" in caplog.text


def test_only_channels_that_are_allowed_are_answered_in(slack: FakeSlack, start: Start) -> None:
    start(access=AccessPolicy(channels=frozenset({CHANNEL})))
    other = slack.says(f"<@{BOT}> {QUESTION}", channel="C2")
    envelopes = [slack.deliver(other), slack.deliver(slack.says(QUESTION, channel=DM))]
    command = slash(slack, QUESTION, channel_id="C2")
    settled(slack, [*envelopes, command])
    slack.until(lambda: slack.called("chat.postEphemeral"))
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    refused = slack.called("chat.postEphemeral")
    assert {(sent["channel"], sent["text"]) for sent in refused} == {
        ("C2", words.NOT_HERE["en"]),
        (DM, words.NOT_HERE["en"]),
    }
    assert slack.acked[command]["text"] == words.NOT_HERE["en"]
    assert slack.said("C2") == slack.said(DM) == []


def test_only_teams_that_are_allowed_are_answered(slack: FakeSlack, start: Start) -> None:
    start(access=AccessPolicy(teams=frozenset({"T1"}), channels=frozenset({CHANNEL, "dm"})))
    foreign = [
        slack.deliver(slack.says(f"<@{BOT}> {QUESTION}"), team="T2"),
        slack.deliver(slack.says(f"<@{BOT}> {QUESTION}", user_team="T2")),
        slash(slack, QUESTION, team_id="T2"),
    ]
    settled(slack, foreign)
    slack.deliver(slack.says(QUESTION, channel=DM))
    slack.until(lambda: slack.answers(DM))
    assert slack.said() == [] and slack.called("respond") == []


def test_no_token_is_told_anywhere(
    slack: FakeSlack, app_state: AppState, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        connected(service_of(slack, app_state, tmp_path / "s.sqlite3")) as bot,
    ):
        slack.until(lambda: slack.connections)
        slack.fail("chat.update", error="fatal_error")
        mention(slack, QUESTION)
        slack.until(lambda: slack.called("chat.update"))
        assert BOT_TOKEN not in repr(bot.me)
    assert "fatal_error" in caplog.text
    assert not [secret for secret in (BOT_TOKEN, APP_TOKEN, SECRET) if secret in caplog.text]


def test_nothing_that_runs_programs_is_reachable_from_slack() -> None:
    from tests.test_imports import ROOT, run

    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "ui" / "slack").glob("*.py")]
    assert texts and not [text for text in texts if "checks" in text.replace("checks what", "")]
    code = "import torch; torch.load(p)"
    told = f"from ui.slack.snippets import findings_messages; findings_messages('2.3 2.8', {code!r}, 'en')"
    found = run(f"import ui.slack.app, ui.slack.serve, sys; {told}; print(*sys.modules)")
    programs = ("assistant.checks", "assistant.sandbox")
    assert not [name for name in found.split() if name.startswith(programs)]


def test_a_question_of_another_person_in_the_thread_is_part_of_the_conversation(
    slack: FakeSlack, bot: Service
) -> None:
    event = mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    slack.deliver(slack.says("And how do I go back to the old one?", user=BOB, thread=event["ts"]))
    slack.until(lambda: len(slack.answers()) == 2)
    assert "USE_LIBUV=0" in text_of(slack.said()[-1])

"""What is read besides the question: what people said, direct messages, edits and files."""

from __future__ import annotations

import pytest

from tests.ui.slack.app_states import keeping
from tests.ui.slack.conftest import Start, idle
from tests.ui.slack.server import BOB, BOT, DM, FakeSlack
from tests.ui.slack.test_conversation import FOLLOW_UP, QUESTION, mention, text_of
from ui.shared.app_state import AppState
from ui.slack.attached_file import AttachedFile
from ui.slack.attachments import FileReader, excerpt
from ui.slack.service import Service

LOG = (
    b"starting\n" * 1000
    + b"FutureWarning: torch.load with weights_only=False\nRuntimeError: TCPStore timed out\n"
)


def test_a_mention_in_the_middle_is_read_with_what_people_said(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    other, kept = keeping(app_state)
    start(other)
    root = slack.says("We see TCPStore slow at 4k ranks")["ts"]
    slack.says("which version?", user=BOB, thread=root)
    slack.says("2.3", thread=root)
    mention(slack, "would upgrading to 2.4 help here?", user=BOB, thread=root)
    slack.until(lambda: slack.answers())
    assert [each[:2] for each in kept] == [
        ("We see TCPStore slow at 4k ranks\n2.3\nwould upgrading to 2.4 help here?", ())
    ]
    said = text_of(slack.answers()[0])
    assert (
        "libuv" in said and "Read with what was said before: We see TCPStore slow at 4k ranks · 2.3" in said
    )


def test_a_follow_up_is_read_with_what_its_question_was_read_with(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    other, kept = keeping(app_state)
    bot = start(other)
    root = slack.says("We see TCPStore slow at 4k ranks")["ts"]
    mention(slack, "would upgrading to 2.4 help here?", thread=root)
    slack.until(lambda: slack.answers())
    idle(bot)
    slack.says("oh nice :eyes:", user=BOB, thread=root)
    slack.says("thanks!", thread=root)
    slack.deliver(slack.says("is it the default?", user=BOB, thread=root))
    slack.until(lambda: len(slack.answers()) == 2)
    read = ("We see TCPStore slow at 4k ranks\nwould upgrading to 2.4 help here?",)
    assert [each[:2] for each in kept] == [(read[0], ()), ("is it the default?", read)]


def test_a_question_about_a_name_of_the_answer_is_for_the_bot(slack: FakeSlack, bot: Service) -> None:
    mention(slack, "What is new in TCPStore in 2.4?")
    slack.until(lambda: slack.answers())
    idle(bot)
    root = slack.said()[0]["thread_ts"]
    slack.says("shall we ask Ann?", user=BOB, thread=root)
    for text in ("will Friday work for us?", "will libuv work for us?"):
        slack.deliver(slack.says(text, user=BOB, thread=root))
    slack.until(lambda: len(slack.answers()) == 2)
    idle(bot)
    assert len(slack.said()) == 2


def test_what_is_declined_with_what_was_said_is_asked_after_it(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    other, kept = keeping(app_state)
    start(other)
    root = slack.says("Our lunch place is slow on Mondays")["ts"]
    mention(slack, "is it on at eight?", thread=root)
    slack.until(lambda: slack.answers())
    said = "Our lunch place is slow on Mondays"
    assert [each[:2] for each in kept] == [
        (f"{said}\nis it on at eight?", ()),
        ("is it on at eight?", (said,)),
    ]


def test_a_file_that_somebody_attached_before_is_read(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    other, kept = keeping(app_state)
    start(other)
    files = [slack.attached("train.log", b"TCPStore timed out"), slack.attached("a.png", b"", "image/png")]
    root = slack.says("the nightly run stopped", files=files, subtype="file_share")["ts"]
    mention(slack, "what is this in 2.4?", user=BOB, thread=root)
    slack.until(lambda: slack.answers())
    assert kept[0][0] == "the nightly run stopped\nwhat is this in 2.4?\n\nTCPStore timed out"
    said = text_of(slack.answers()[0])
    assert "Read train.log" in said and "Left out a.png" in said


def test_a_direct_message_continues_the_one_before(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    other, kept = keeping(app_state)
    start(other)
    for text in (QUESTION, "hi", FOLLOW_UP):
        slack.deliver(slack.says(text, channel=DM))
    slack.until(lambda: len(slack.answers(DM)) == 2)
    assert [each[:2] for each in kept] == [(QUESTION, ()), (FOLLOW_UP, (QUESTION,))]


@pytest.mark.parametrize("order", [1, -1], ids=["in order", "follow-up first"])
def test_follow_ups_before_the_answer_wait_for_it(
    slack: FakeSlack, app_state: AppState, start: Start, order: int
) -> None:
    other, kept = keeping(app_state)
    bot = start(other)
    event = slack.says(f"<@{BOT}> {QUESTION}")
    after = slack.says("and is FSDP2 a prototype there?", thread=event["ts"], user=BOB)
    for each in (event, after)[::order]:
        bot.message({"event": each, "event_id": each["ts"], "team_id": "T1"})
    slack.until(lambda: len(slack.answers()) == 2)
    assert [each[:2] for each in kept] == [(QUESTION, ()), ("and is FSDP2 a prototype there?", (QUESTION,))]


def test_a_message_that_is_edited_into_a_mention_counts_once(slack: FakeSlack, bot: Service) -> None:
    event = slack.says(QUESTION)
    slack.deliver(event)
    for text in (f"<@{BOT}> {QUESTION}", f"<@{BOT}> {QUESTION}!", QUESTION):
        message = {**event, "text": text, "edited": {"user": event["user"], "ts": "1"}}
        change = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": slack.stamp()}
        slack.deliver({**change, "channel": event["channel"], "channel_type": "channel", "message": message})
    slack.until(lambda: slack.answers())
    idle(bot)
    assert [message["thread_ts"] for message in slack.said()] == [event["ts"]]


@pytest.mark.parametrize("waits", [True, False], ids=["answered before", "both at once"])
def test_a_question_that_is_edited_into_a_mention_is_answered_once(
    slack: FakeSlack, bot: Service, waits: bool
) -> None:
    mention(slack, QUESTION)
    slack.until(lambda: slack.answers())
    idle(bot)
    event = slack.says(FOLLOW_UP, thread=slack.said()[0]["thread_ts"])
    body = {"event_id": "Ev-first", "team_id": "T1"}
    bot.message({**body, "event": event})
    if waits:
        idle(bot)
    edited = {**event, "text": f"<@{BOT}> {FOLLOW_UP}", "type": "app_mention", "edited": {"ts": "1"}}
    bot.message({**body, "event_id": "Ev-edit", "event": edited})
    idle(bot)
    assert len(slack.answers()) == 2 and len(slack.said()) == 2


@pytest.mark.parametrize(
    ("times", "note"), [(2, "Read train.log"), (50, "Left out train.log: Slack does not give it now")]
)
def test_a_file_is_read_after_an_outage(slack: FakeSlack, bot: Service, times: int, note: str) -> None:
    slack.fail("files", 503, times=times)
    mention(slack, "what is this in 2.4?", files=[slack.attached("train.log", b"TCPStore timed out")])
    slack.until(lambda: slack.answers())
    assert note in text_of(slack.answers()[0])


def test_a_text_file_is_read_and_others_are_said_to_be_left_out(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    other, kept = keeping(app_state)
    start(other)
    files = [
        slack.attached("train.log", LOG),
        slack.attached("plot.png", b"\x89PNG", "image/png"),
        {**slack.attached("x.log", b"y"), "url_private_download": "https://evil.example/x.log"},
    ]
    mention(slack, "what is this in 2.4?", subtype="file_share", files=files)
    slack.until(lambda: slack.answers())
    ((question, _, _),) = kept
    assert question.startswith("what is this in 2.4?\n\n") and question.endswith(
        "RuntimeError: TCPStore timed out"
    )
    assert len(question) < 200  # of the noise before, a line
    said = text_of(slack.answers()[0])
    assert "Read a part of train.log" in said and "Left out plot.png: no text file" in said
    assert "Left out x.log: Slack does not give it" in said


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/slack.com",
        "http://files.slack.com/a",
        "https://slack.com@evil.example/a",
        "file:///etc",
        "https://evil.example\t.slack.com/a",
        "https://xn--.slack.com/a",
    ],
)
def test_the_token_goes_to_slack_alone(url: str) -> None:
    reader = FileReader("xoxb-secret", "https://slack.com/api/")
    found = reader.read((AttachedFile("a.txt", url, "text/plain", 1),), 1000, "en")
    assert found.text == "" and "does not give it" in found.notes[0]
    assert reader._of_slack("https://files.slack.com/files-pri/a")


def test_an_excerpt_has_what_surrounds_errors() -> None:
    part, whole = excerpt(LOG.decode(), 200)
    assert not whole and len(part) <= 200 and part.endswith("timed out") and "FutureWarning" in part
    assert excerpt("all of it", 100) == ("all of it", True)

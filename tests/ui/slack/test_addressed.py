"""When the bot speaks without being mentioned: to questions about releases, and to nothing else."""

from __future__ import annotations

import time

import pytest

from tests.rows import each_row
from tests.ui.slack.conftest import chosen_modes
from ui.slack.addressed import asks, for_bot, names_subject, needs_context, worth_reading
from ui.slack.incoming import IncomingQuestion, MessageLocation, spoken
from ui.slack.remarks import remark

TALK = [
    "lol",
    "thanks! :tada:",
    "好的谢谢",
    "makes sense",
    "+1",
    "ok will upgrade to 2.4 then",
    "see https://example.org/?a=b",
    "> is FSDP2 in 2.4?\nI read that",
    "```\nwhat is this?\n```",
    ":question:",
    "?",
    "我也遇到了",
]
TO_PEOPLE = [
    "did you try 2.4?",
    "can you look at this?",
    "could you review my PR first?",
    "is it ok if I ship on Friday?",
    "who is on call today?",
    "你升级到 2.4 了吗？",
    "when do we deploy?",
    "今晚吃什么？",
]
ASKED = [
    "and in 2.5?",
    "Is FSDP2 a prototype in 2.4?",
    "which release added torch.compile?",
    "does anyone know if 2.4 supports Python 3.12?",
    "FlexAttention 是哪个版本加入的",
    "tell me what changed in 2.6",
    "那 ROCm 呢",
    "what about FlexAttention",
]


@each_row("text", TALK)
def test_what_is_no_question_is_not_considered(text: str) -> None:
    assert not asks(text)


@each_row("text", TO_PEOPLE)
def test_a_question_to_people_is_not_for_the_bot(text: str) -> None:
    assert asks(text) and not for_bot(text, after_bot=False)


@each_row("text", ASKED)
def test_a_question_about_releases_is_for_the_bot(text: str) -> None:
    assert asks(text) and for_bot(text, after_bot=False)


def test_a_question_without_a_subject_is_for_the_bot_right_after_its_answer() -> None:
    assert for_bot("is it faster?", after_bot=True) and not for_bot("is it faster?", after_bot=False)
    assert not for_bot("should we?", after_bot=True)
    assert for_bot("how do I switch it off?", after_bot=True)
    assert for_bot("does libuv help?", after_bot=False, named={"libuv"})


@each_row(
    ("text", "kind"),
    [
        ("Help!", "help"),
        ("怎么用？", "help"),
        ("hi :wave:", "hello"),
        ("你好", "hello"),
        ("Who are you?", "who"),
        ("STOP", "stop"),
        ("停", "stop"),
        ("thanks! :tada:", "thanks"),
        ("help with FSDP2?", None),
        ("does 2.4 stop supporting 3.8?", None),
    ],
)
def test_a_remark_is_recognised_as_a_whole(text: str, kind: str | None) -> None:
    assert remark(text) == kind


def test_a_subject_is_a_release_a_term_or_an_identifier() -> None:
    assert names_subject("2.3") and names_subject("torch.foo") and names_subject("FSDP2 please")
    assert not names_subject("which version?") and not names_subject("help here? :tada:")
    assert not names_subject("would upgrading to 2.4 help here?", releases=False, plain=False)


def test_of_what_people_said_that_is_read_which_tells_the_subject() -> None:
    said = ["Our jobs start slowly since Monday", "which version?", "2.3", "lol", "thanks"]
    assert worth_reading(said) == ["Our jobs start slowly since Monday", "2.3"]


@pytest.mark.parametrize(
    ("mode", "in_thread", "at_top"),
    [("mentions", False, False), ("threads", True, False), ("questions", True, True)],
)
def test_each_channel_has_its_mode(mode: str, in_thread: bool, at_top: bool) -> None:
    modes = chosen_modes(f"{'threads' if mode == 'mentions' else 'mentions'}, C1={mode}")

    def considered(text: str, thread: str, *, mentioned: bool = False, others: bool = False) -> bool:
        place = MessageLocation(frozenset(), "C1", False)
        return modes.considers(IncomingQuestion(place, "U1", "2.0", thread, text, mentioned, others))

    question = "Is FSDP2 in 2.4?"
    assert considered(question, "1.0") == in_thread and considered(question, "2.0") == at_top
    assert not considered("lol", "1.0") and not considered(question, "1.0", others=True)
    assert considered("lol", "2.0", mentioned=True)


@each_row("unit", ["2.1 ", "from 2.1 to ", "2.1,", "CUDA 12.1 ", "a.b ", "<@A|"])
def test_a_long_message_is_read_in_bounded_time(unit: str) -> None:
    """Messages have up to 40,000 characters: one that names a release 10,000 times took ten seconds."""
    raw = (unit * 40_000)[:40_000]
    needs_context("the glossary is read")
    begun = time.thread_time()
    text = spoken(raw)
    needs_context(text), for_bot(text, after_bot=True), worth_reading([text])
    assert time.thread_time() - begun < 2.0

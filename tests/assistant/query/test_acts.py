"""Acts are recognised by their words alone, and only if a turn holds nothing else."""

from __future__ import annotations

import pytest

from assistant.query.acts import RETELLINGS, SMALL_TALK, load_phrases, main_act
from assistant.text.messages import SMALL_TALK as REPLIES
from ingest.document import LANGUAGES
from tests.rows import each_row

ACTS = {
    "thanks!": "thanks",
    "Thaaanks 😊": "thanks",
    "ＴＨＡＮＫＳ": "thanks",
    "好的谢谢": "thanks",
    "謝謝": "thanks",
    "👍🏽": "thanks",
    "ok, got it": "acknowledgement",
    "哈哈哈哈哈": "acknowledgement",
    "hahahaha": "acknowledgement",
    "懂了": "acknowledgement",
    "ok thanks, bye": "goodbye",
    "Hello there": "greeting",
    "你是谁？": "identity",
    "what can you do?": "help",
    "I don’t get it": "unclear",
    "shorter": "shorter",
    "简短点": "shorter",
    "能不能简短点说": "shorter",
    "TL;DR please": "shorter",
    "can you show me some code?": "code",
    "那给个代码吧": "code",
    "in Chinese please": "chinese",
    "用英文说": "english",
    "are you sure?": "proof",
    "right?": "proof",
    "你确定吗": "proof",
    "thanks, and the source?": "sources",
    "那出处呢": "sources",
    "tell me more": "more",
}
NONE = [
    "why?",
    "what about 2.7?",
    "thanks! and how do I turn it on?",
    "show me code for FlexAttention",
    "is there a code path for CPUs",
    "可以用吗",
    "谢谢，再问一下 2.8",
    "那 Windows 上呢",
    "source of the speedup?",
    "C++",
    "2.6",
    "???",
    "🐍",
    "ok " * 30,
]


@each_row(("turn", "act"), ACTS.items())
def test_an_act_is_recognised(turn: str, act: str) -> None:
    covered = load_phrases().cover(turn)
    assert covered and main_act(covered.acts) == act


@each_row("turn", NONE)
def test_a_turn_that_holds_anything_else_is_none(turn: str) -> None:
    assert load_phrases().cover(turn) is None


@pytest.mark.parametrize(
    ("turn", "neutral"), [("thx", True), ("👍", True), ("thanks", False), ("谢谢", False)]
)
def test_words_of_both_languages_tell_none(turn: str, neutral: bool) -> None:
    covered = load_phrases().cover(turn)
    assert covered and covered.neutral == neutral


def test_what_is_this_means_the_assistant_only_at_the_beginning() -> None:
    assert load_phrases().cover("what is this?") is None
    covered = load_phrases().cover("what is this?", opening=True)
    assert covered and covered.acts == ("help",)


def test_every_act_has_phrases_and_small_talk_has_a_reply_in_both_languages() -> None:
    assert {*SMALL_TALK, *RETELLINGS} <= {*load_phrases().texts.values()}
    assert all(REPLIES[language].keys() == {*SMALL_TALK} for language in LANGUAGES)

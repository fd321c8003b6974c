"""Hostile questions and drafts are read in bounded time: no character is tried again and again."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from assistant.answering.quote_markdown import own_marks_only
from assistant.answering.unmentioned import unmentioned_entities
from assistant.assistant import Assistant
from assistant.query.answer_type import asked_kinds
from assistant.query.entities import entities
from assistant.query.pinyin import looks_like_pinyin
from assistant.query.question import understand
from assistant.query.slots import slots
from assistant.query.validation import MAX_QUESTION
from assistant.retrieval.gate import load_gate
from assistant.text.markdown import column_titles
from assistant.verification.draft import statements
from corpus.glossary import load_glossary
from ingest.release import Release
from tests.rows import each_row

KNOWN = tuple(Release(2, minor) for minor in range(12))
#: Of the processor, for 4,000 characters; each took longer before, and some for ever. Most take a fiftieth.
SECONDS = 0.7


def within(work: Callable[[], object]) -> bool:
    begun = time.thread_time()
    work()
    return time.thread_time() - begun < SECONDS


UNITS = (
    "2.1= 1 9 1.1. 2.2 a A a1 a_ _ a- torch. torch :: -- ` ( [ 编译 的 用 在2.4里 版本2 哪个 升级2.1"
    " 是什么版本 \u0661 e\u0301 \u0301 \u200b \u202e 👨\u200d👩 ２．４ Ａ｜ CUDA\u00a012."
    " mi300 xianzai H100 2.1- --a a.b"
).split(" ")
PHRASES = (
    "from 2.1 to 2.2 ",
    "CUDA 12.1, ",
    "2.1 之后到",
    "after the torch version ",
    ">=2.1,<",
    "2.1 or later and ",
    "A-b_c ",
    "a 是什么版本 ",
    "which a version ",
    " ",
    "\n",
    "|a|\n",
)


@each_row("unit", [*UNITS, *PHRASES])
@each_row("frame", ["{}", "what is {} in 2.4?"])
def test_a_question_is_read_in_bounded_time(frame: str, unit: str) -> None:
    text = frame.format((unit * MAX_QUESTION)[: MAX_QUESTION - len(frame)])

    def read() -> None:
        asked = understand(text, ["what is FSDP2?"], known=KNOWN, glossary=load_glossary())
        slots(asked.standalone, load_glossary())
        entities(asked), asked_kinds(asked.clean), looks_like_pinyin(text)

    load_glossary()
    assert within(read)


@pytest.mark.parametrize("syllables", ["xian" * 30 + "vv", "zhuangshuang" * 20 + "q", "xiao" * 40 + "v"])
def test_a_word_that_is_nearly_pinyin_is_told_at_once(syllables: str) -> None:
    assert within(lambda: looks_like_pinyin(f"zenme yong {syllables} shi shenme"))


@each_row("line", ["_" * 80, "a" + "_" * 4000, "a_" * 2000, "a." * 2000, "[" + " " * 4000, "[1," * 1300])
def test_marks_are_found_in_bounded_time(line: str) -> None:
    assert within(lambda: (statements(line), own_marks_only(line)))


def test_the_rule_of_a_table_is_found_in_bounded_time() -> None:
    table = f"|a|\n|-{' ' * 20_000}x|\n|1|\n"
    assert within(lambda: column_titles(table, len(table) - 4))
    assert column_titles("| a | b |\n | :-- |--:|  \n| 1 | 2 |\n", 25) == ["a", "b"]


def test_of_many_names_some_are_looked_for() -> None:
    text = " ".join(f"FooBar{n}" for n in range(300))
    asked = understand(text, (), known=KNOWN, glossary=load_glossary())
    assert len(entities(asked)) == 64


def test_of_many_versions_some_are_looked_up(digest_assistant: Assistant) -> None:
    text = " ".join(f"Python 99.{n}" for n in range(300))
    asked = understand(text, (), known=KNOWN, glossary=load_glossary())
    assert len(unmentioned_entities(asked, digest_assistant.retriever, load_glossary())) == 8


def test_a_question_far_from_any_answer_is_declined() -> None:
    gate = load_gate()
    assert gate.probability(dict.fromkeys(gate.features, 1000000.0)) in (0.0, 1.0)
    assert gate.probability(dict.fromkeys(gate.features, -1000000.0)) in (0.0, 1.0)

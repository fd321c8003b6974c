"""Understanding a question: language, intent, statuses, and what a follow-up leaves unsaid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from assistant.query.question import Question, understand
from corpus.glossary import load_glossary
from ingest.release import Release
from tests.rows import each_row

KNOWN = tuple(Release.parse(text) for text in "2.3 2.4 2.5 2.6 2.7".split())


def read(text: str, history: Sequence[str] = ()) -> Question:
    return understand(text, history, known=KNOWN, glossary=load_glossary())


def terms(question: Question) -> list[str]:
    return [term.id for term in question.terms]


def releases(question: Question) -> list[str]:
    return list(map(str, question.releases))


@each_row(
    ("text", "intent"),
    [
        ("Which release added FlexAttention?", "since"),
        ("FlexAttention 是哪个版本加的", "since"),
        ("什么时候支持 Python 3.12 的", "since"),
        ("Compare 2.3 with 2.4", "compare"),
        ("2.3 和 2.4 有什么区别", "compare"),
        ("2.3 和 2.4 的安装包各自多大", "compare"),
        ("2.4 的两个内核分别在哪开", "fact"),
        ("My layers have different learning rates in 2.4", "fact"),
        ("How much faster is the CPU path?", "number"),
        ("快了多少倍", "number"),
        ("What are the prototype features of 2.5?", "list"),
        ("2.5 有哪些原型功能", "list"),
        ("What breaks when I upgrade to 2.6?", "breaking"),
        ("升级到 2.6 会报错吗", "breaking"),
        ("Is TorchScript deprecated?", "deprecation"),
        ("TorchScript 弃用了吗", "deprecation"),
        ("How do I turn off libuv?", "howto"),
        ("怎么关掉 libuv", "howto"),
        ("Can I use Python 3.12?", "yesno"),
        ("支持 Windows 吗？", "yesno"),
        ("What is FlexAttention?", "definition"),
        ("什么是 FlexAttention", "definition"),
        ("FlexAttention 是干什么的", "definition"),
        ("The default backend of TCPStore", "fact"),
        ("TCPStore 默认用什么后端", "fact"),
    ],
)
def test_the_intent_is_what_kind_of_answer_is_wanted(text: str, intent: str) -> None:
    assert read(text).intent == intent


@each_row(
    ("text", "statuses"),
    [
        ("Which prototype features came in 2.5?", ("prototype",)),
        ("2.5 有哪些原型功能", ("prototype",)),
        ("beta 和稳定版有哪些", ("beta", "stable")),
        ("backwards incompatible changes in 2.6", ("breaking",)),
        ("an unstable API", ("unstable",)),
        ("2.5 哪些功能还不稳定", ("unstable",)),
        ("2.5 的训练稳定性怎么样", ()),
        ("2.5 的正式版功能", ("stable",)),
        ("2.5里有哪些beta功能", ("beta",)),
        ("What is FlexAttention?", ()),
    ],
)
def test_statuses_asked_for(text: str, statuses: tuple[str, ...]) -> None:
    assert read(text).statuses == statuses


def test_terms_are_found_in_either_language() -> None:
    assert "tensor-parallel" in terms(read("What does 张量并行 mean?"))
    assert "tensor-parallel" in terms(read("how do I use tensor parallelism"))
    assert "tcpstore" in terms(read("ＴＣＰＳｔｏｒｅ 默认后端"))


@each_row(
    ("traditional", "simplified"),
    [
        ("FlexAttention 是什麼", "FlexAttention 是什么"),
        ("TCPStore 從哪個版本開始預設使用 libuv？", "TCPStore 从哪个版本开始预设使用 libuv？"),
        ("2.5 有哪些測試版功能？", "2.5 有哪些测试版功能？"),
        ("張量並行怎麼用", "张量并行怎么用"),
        ("從2.4到2.6升級時有哪些不兼容變更", "从2.4到2.6升级时有哪些不兼容变更"),
        ("2.4 之後還支持嗎", "2.4 之后还支持吗"),
        ("昇騰後端", "昇腾后端"),
    ],
)
def test_traditional_characters_are_read_as_simplified_ones(traditional: str, simplified: str) -> None:
    asked, same = read(traditional), read(simplified)
    assert replace(asked, text=simplified) == same and asked.text == traditional
    assert read("它呢？", [traditional]) == read("它呢？", [simplified])


def test_the_text_stays_as_it_was_asked() -> None:
    question = read("  ２．４ 的 TCPStore？ ")
    assert question.text == "  ２．４ 的 TCPStore？ "
    assert question.standalone == "2.4 的 TCPStore?"
    assert releases(question) == ["2.4"]


def test_a_first_question_stands_alone() -> None:
    question = read("Does it run on CPU?")
    assert question.standalone == "Does it run on CPU?" and question.releases == ()


def test_a_follow_up_carries_topic_releases_and_terms() -> None:
    question = read("Does it run on CPU?", ["What is FlexAttention in 2.5?"])
    assert question.standalone == "What is FlexAttention in 2.5? Does it run on CPU?"
    assert releases(question) == ["2.5"] and question.scope.named == ()
    assert "flex-attention" in terms(question)


def test_a_chain_of_follow_ups_keeps_the_topic() -> None:
    question = read("How fast is it?", ["What is FlexAttention in 2.5?", "Does it run on CPU?"])
    assert question.standalone.startswith("What is FlexAttention in 2.5?")
    assert releases(question) == ["2.5"] and "flex-attention" in terms(question)


@pytest.mark.parametrize(
    ("history", "text", "expected"),
    [
        ("What changed from 2.3 to 2.5?", "and the previous release?", []),
        ("2.3 到 2.5 有哪些变化", "下一版呢", ["2.6"]),
        ("What is FlexAttention in 2.5?", "Does the same hold for Windows?", ["2.5"]),
    ],
)
def test_a_follow_up_moves_on_from_the_releases_before(history: str, text: str, expected: list[str]) -> None:
    question = read(text, [history])
    assert releases(question) == (expected or ["2.3", "2.4", "2.5"])
    assert question.standalone.startswith(history)


def test_a_fresh_question_leaves_the_topic_behind() -> None:
    text = "How do I use TCPStore with libuv in 2.4?"
    question = read(text, ["What is FlexAttention in 2.5?"])
    assert question.standalone == text
    assert releases(question) == ["2.4"] and "flex-attention" not in terms(question)


def test_the_last_fresh_question_sets_the_topic() -> None:
    history = ["What is FlexAttention in 2.5?", "How do I use TCPStore with libuv in 2.4?"]
    question = read("Is it stable?", history)
    assert question.standalone == f"{history[1]} Is it stable?"
    assert releases(question) == ["2.4"] and "tcpstore" in terms(question)
    assert "flex-attention" not in terms(question)


def test_an_empty_history_is_none() -> None:
    assert read("what about it?", [""]).standalone == "what about it?"


def test_the_language_is_that_of_the_last_question() -> None:
    assert read("那 2.6 呢？", ["What is FlexAttention in 2.5?"]).language == "zh"
    assert read("and in 2.6?", ["FlexAttention 在 2.5 里怎么样"]).language == "en"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("2.7 带的 NCCL 是什么版本？", "number"),
        ("Which NCCL version is bundled with 2.7?", "fact"),
        ("FlexAttention 是哪个版本加入的？", "since"),
        ("Which version added FlexAttention?", "since"),
        ("which release has FlexAttention", "since"),
    ],
)
def test_the_version_of_something_else_is_no_release(text: str, intent: str) -> None:
    assert understand(text, (), known=KNOWN, glossary=load_glossary()).intent == intent

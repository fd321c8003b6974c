"""The assistant: questions in, cited answers out, on a small real index."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from assistant.answer import Answer, Citation
from assistant.answering.compose import compose
from assistant.assistant import Assistant
from assistant.query.question import Question
from assistant.query.validation import MAX_QUESTION
from assistant.retrieval.gate import Gate
from assistant.retrieval.pick import Pick
from corpus.glossary import Glossary
from ingest.errors import TorchnotesError
from ingest.release import Release
from tests.assistant.rules import check_answer

QUESTIONS = [
    "What is the default backend of TCPStore in 2.4?",
    "TCPStore 在2.4里默认用什么后端",
    "How do I turn off libuv for TCPStore in 2.4?",
    "怎么关闭 libuv",
    "What is FlexAttention?",
    "FlexAttention 是什么",
    "grouped_mm 在 H100 上快了多少倍",
    "How much faster is torch.grouped_mm on H100?",
    "What breaks in torch.load in 2.7?",
    "2.7 里 torch.load 有什么不兼容变更",
    "Ring attention 怎么工作",
    "Which wheels are there for Windows?",
    "AOTInductor 编译后的模型是什么",
    "What does AOTInductor compile?",
    "compare TCPStore in 2.3 and 2.4",
    "2.3 和 2.4 的 TCPStore 有什么区别",
    "FlexAttention 需要什么 GPU？",
    "What replaces torch.jit.trace_debug?",
    "How do I fry an egg?",
    "怎么煎鸡蛋",
    "TCPStore in 2.9?",
]


@pytest.fixture
def always(assistant: Assistant) -> Assistant:
    """An assistant whose gate lets everything through."""
    gate = Gate((), (), (), (), bias=1.0, threshold=0.0)
    return Assistant(assistant.retriever, assistant.embedder, assistant.segmenter, assistant.glossary, gate)


def quotes(answer: Answer) -> str:
    return "\n".join(citation.quote for citation in answer.citations)


@pytest.mark.parametrize("text", QUESTIONS)
def test_every_answer_keeps_the_rules(assistant: Assistant, text: str) -> None:
    check_answer(assistant.ask(text))


@pytest.mark.parametrize("text", QUESTIONS)
def test_every_answer_keeps_the_rules_in_either_language(always: Assistant, text: str) -> None:
    for answer in (always.ask(text, language="zh"), always.ask(text, language="en")):
        check_answer(answer)
        assert answer.abstained == ("2.9" in text)  # of which no document is


@pytest.mark.parametrize(
    ("text", "language", "release", "fact"),
    [
        ("What is the default backend of TCPStore in 2.4?", "en", "2.4", "libuv"),
        ("TCPStore 在2.4里默认用什么后端", "zh", "2.4", "libuv"),
        ("grouped_mm 在 H100 上快了多少倍", "zh", "2.6", "1.7 倍"),
        ("How much faster is torch.grouped_mm on H100?", "en", "2.6", "1.7x"),
        ("FlexAttention 需要什么 GPU？", "zh", "2.5", "8.0"),
        ("How do I turn off libuv for TCPStore?", "en", "2.4", 'os.environ["USE_LIBUV"] = "0"'),
        ("What replaces torch.jit.trace_debug?", "en", "2.6", "torch.export.report"),
        (
            "Which wheels are there for Windows?",
            "en",
            "2.5",
            "Platform: Windows x64 · Wheels: CPU, CUDA and XPU",
        ),
    ],
)
def test_answers_hold_the_fact(
    assistant: Assistant, text: str, language: str, release: str, fact: str
) -> None:
    answer = assistant.ask(text)
    assert not answer.abstained and answer.language == language
    assert fact in answer.text and Release.parse(release) in answer.releases


@pytest.mark.parametrize("text", ["Does it run on a Zorblatt?", "它能在 Zorblatt 上运行吗？"])
def test_what_the_notes_do_not_tell_is_declined(assistant: Assistant, text: str) -> None:
    answer = assistant.ask(text)
    assert answer.abstained and "PyTorch 2.2 – 2.7" in answer.text
    assert len(answer.citations) == 2 and answer.passages


def test_an_unknown_release_is_named(assistant: Assistant) -> None:
    answer = assistant.ask("What is new in the TCPStore of 2.9?")
    assert answer.abstained and "PyTorch 2.9" in answer.text


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("What is new in PyTorch 3.0?", "3.0"),
        ("What's new in PyTorch 0.4?", "0.4"),
        ("PyTorch 3.0 的 TCPStore 默认用什么后端？", "3.0"),
        ("What is the default backend of TCPStore in 2.9?", "2.9"),
    ],
)
def test_where_every_release_asked_for_is_unknown_nothing_is_answered(
    always: Assistant, text: str, release: str
) -> None:
    answer = always.ask(text)
    assert answer.abstained and f"PyTorch {release}" in answer.text.split("\n")[0]
    later = always.ask("And its backend?" if answer.language == "en" else "那它的后端呢？", [text])
    assert later.abstained and f"PyTorch {release}" in later.text.split("\n")[0]


@pytest.mark.parametrize("text", ["？", "!!!", "?", "🐍", "```", "\0", "_"], ids=repr)
def test_a_question_without_a_word_is_declined_without_citations(always: Assistant, text: str) -> None:
    for answer in (always.ask(text), always.ask(text, ["What is TCPStore?"])):
        assert answer.abstained and answer.citations == () and answer.passages == ()
        assert "ask in words" in answer.text
    assert "请用文字提问" in always.ask(text, language="zh").text


def test_a_comparison_holds_both_releases(assistant: Assistant) -> None:
    answer = assistant.ask("Compare TCPStore in 2.3 and 2.4")
    assert [p.version for p in answer.passages[:4]] == ["2.3", "2.4", "2.3", "2.4"]
    assert set(map(str, answer.releases)) == {"2.3", "2.4"}


def test_a_follow_up_is_searched_with_its_topic(assistant: Assistant) -> None:
    answer = assistant.ask("Which GPU does it need?", ["What is FlexAttention in 2.5?"])
    assert answer.question == "Which GPU does it need?"
    assert answer.standalone == "What is FlexAttention in 2.5? Which GPU does it need?"
    assert "8.0" in answer.text


def test_releases_given_are_the_only_ones_searched(assistant: Assistant) -> None:
    answer = assistant.ask("TCPStore backend", releases=["2.3"])
    assert {p.version for p in answer.passages} == {"2.3"}
    both = assistant.ask("TCPStore backend in 2.4", releases=[Release(2, 3), "v2.5.1"])
    assert {p.version for p in both.passages} == {"2.3", "2.5"}


def test_top_k_bounds_the_passages(assistant: Assistant) -> None:
    assert len(assistant.ask("What is TCPStore?", top_k=1).passages) == 1
    assert len(assistant.ask("What is TCPStore?").passages) <= 8


def test_the_language_can_be_chosen(assistant: Assistant) -> None:
    answer = assistant.ask("What is the default backend of TCPStore in 2.4?", language="zh")
    assert answer.language == "zh" and "默认使用 `libuv` 后端" in answer.text


def test_another_language_version_is_quoted_where_there_is_one(assistant: Assistant) -> None:
    for text in ("TCPStore 在2.4里默认用什么后端", "What is the default backend of TCPStore in 2.4?"):
        answer = assistant.ask(text)
        assert {c.passage.language for c in answer.citations} == {answer.language}


@pytest.mark.parametrize(
    "text", ["What is the default backend of TCPStore?", "怎么煎鸡蛋", "What is FlexAttention?"]
)
def test_streaming_ends_in_the_same_answer(assistant: Assistant, text: str) -> None:
    grown = list(assistant.stream(text))
    assert grown[-1] == assistant.ask(text)
    assert [len(a.citations) for a in grown] == sorted(len(a.citations) for a in grown)
    for answer in grown:
        check_answer(answer)


def test_a_stream_composes_only_what_is_asked_for(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed: list[int] = []

    def counting(
        asked: Question, picks: Sequence[Pick], glossary: Glossary, **frame: Any
    ) -> tuple[str, tuple[Citation, ...]]:
        composed.append(len(picks))
        return compose(asked, picks, glossary, **frame)

    monkeypatch.setattr("assistant.answering.responder.compose", counting)
    text = "Compare TCPStore in 2.3 and 2.4"
    whole = assistant.ask(text)
    (most,) = composed
    assert most > 1
    composed.clear()
    grown = assistant.stream(text)
    next(grown)
    assert composed == [1]
    assert [*grown][-1] == whole and composed == list(range(1, most + 1))


def test_timings_name_every_stage(assistant: Assistant) -> None:
    timings = assistant.ask("What is TCPStore?").timings
    assert list(timings) == ["understand", "embed", "retrieve", "gate", "extract", "compose"]
    assert all(seconds >= 0 for seconds in timings.values())


@pytest.mark.parametrize("text", ["What is the default backend of TCPStore?", "怎么煎鸡蛋"])
def test_an_answer_is_json_ready(assistant: Assistant, text: str) -> None:
    answer = assistant.ask(text)
    data = json.loads(json.dumps(answer.to_dict()))
    assert data["text"] == answer.text and len(data["passages"]) == len(answer.passages)
    assert [c["quote"] for c in data["citations"]] == [c.quote for c in answer.citations]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "^the question is empty; type one, such as: "),
        (" \n　", {}, "^the question is empty"),
        ("x" * (MAX_QUESTION + 1), {}, f"^the question has 4001 characters; at most {MAX_QUESTION} are read"),
        ("TCPStore", {"language": "fr"}, "^language 'fr' is not spoken here; use one of zh, en$"),
        ("TCPStore", {"top_k": 0}, "^top_k is 0; it must be 1 or more$"),
        ("TCPStore", {"releases": ["3.9"]}, "about release 3.9; there are 2.2, 2.3, 2.4, 2.5, 2.6, 2.7$"),
        ("TCPStore", {"releases": ["two"]}, "^'two' is not a release; write it like 2.4 or v2.4.0$"),
        ("TCPStore", {"releases": [2.4]}, "^releases holds 2.4 of type float"),
        ("TCPStore", {"top_k": "8"}, "^top_k is '8' of type str"),
        ("TCPStore", {"history": "What is FSDP2?"}, "^history is 'What is FSDP2"),
    ],
    ids="empty,blank,too long,language,top_k,unknown release,no release,number,text,no list".split(","),
)
def test_arguments_that_cannot_be_used_are_refused_in_one_line(
    assistant: Assistant, text: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(TorchnotesError, match=message) as refused:
        assistant.ask(text, **options)
    assert "\n" not in str(refused.value)
    with pytest.raises(TorchnotesError, match=message):
        list(assistant.stream(text, **options))


@pytest.mark.parametrize("release", ["2.3", Release(2, 3)], ids=["text", "release"])
def test_one_release_needs_no_list(assistant: Assistant, release: str | Release) -> None:
    assert {p.version for p in assistant.ask("TCPStore", releases=release).passages} == {"2.3"}  # type: ignore[arg-type]


def test_a_long_question_up_to_the_limit_is_read(assistant: Assistant) -> None:
    answer = assistant.ask("What is the default backend of TCPStore? " + "x" * (MAX_QUESTION - 41))
    assert answer.passages


@pytest.mark.parametrize(
    "text",
    ["?", "\0", "🙂", "[1] [2]", "```", "<script>alert(1)</script>", "2.4", "TCPStore\n\nlibuv"],
    ids=repr,
)
def test_odd_questions_get_an_answer_or_a_decline(assistant: Assistant, text: str) -> None:
    answer = assistant.ask(text)
    check_answer(answer)
    assert "<script>" not in answer.text


@pytest.mark.parametrize(
    "history", [(), ["What is TCPStore?"], ["", " "], ["x" * 5000], ["怎么煎鸡蛋", "why?"]]
)
def test_any_history_can_stand_before_a_question(assistant: Assistant, history: Sequence[str]) -> None:
    check_answer(assistant.ask("And in 2.4?", history))

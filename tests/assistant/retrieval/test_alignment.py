"""Answering in one language from notes in the other."""

from __future__ import annotations

import pytest

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.retrieval.alignment import TranslationAligner, figures
from assistant.retrieval.pick import Pick
from assistant.text.key_points import is_chinese, key_points
from corpus.glossary import load_glossary
from index.search.passage import Passage, ScoredSentence
from index.search.query import Query
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.release import Release
from tests.assistant.notes import note
from tests.assistant.passages import quotes
from tests.rows import each_row


@each_row(
    ("text", "chinese"),
    [
        ("默认后端是 libuv", True),
        ("使用 `torch.compile` 编译", True),
        ("`torch.serialization.add_safe_globals` 函数", False),
        ("The default backend is libuv", False),
        ("abcdefghij默认", True),
        ("abcdefghijk默认", False),
        ("12%", True),
        ("", True),
    ],
)
def test_a_sixth_of_the_letters_make_a_text_chinese(text: str, chinese: bool) -> None:
    assert is_chinese(text) == chinese


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,024 ranks in 16 seconds", {"1024", "16"}),
        ("提升 1.7 倍，显存减少 30%", {"1.7", "30"}),
        ("fixed in #127957 and (#128)", set()),
        ("FSDP2 on H100", set()),
        ("Python 3.12 and CUDA 12.4", {"3.12", "12.4"}),
    ],
)
def test_figures_are_numbers_that_stand_alone(text: str, expected: set[str]) -> None:
    assert figures(text) == expected


@each_row(
    ("sentence", "parts"),
    [
        ("性能提升高达 1.6 倍（A100）", ["1.6x", "A100"]),
        ("显存减少 30％，需要 `torch.bfloat16`", ["30%", "torch.bfloat16"]),
        ("A100 上速度提升 10% 到 20%", ["A100", "10", "20%"]),
        (
            "`torch.jit.trace_debug` 已被弃用，请改用 `torch.export.report`",
            ["torch.jit.trace_debug", "torch.export.report"],
        ),
        ("支持张量并行", ["tensor parallel"]),
        ("详见[教程](https://example.org/some/where)的 API", ["API"]),
    ],
)
def test_key_points_are_names_and_figures_in_order(sentence: str, parts: list[str]) -> None:
    told = key_points(sentence, load_glossary())
    places = [told.lower().find(part.lower()) for part in parts]
    assert -1 not in places and places == sorted(places), told
    assert not is_chinese(told) and "http" not in told


def test_a_sentence_without_any_has_no_key_points() -> None:
    assert key_points("这样更好。", load_glossary()) == ""


def near(assistant: Assistant, text: str, release: str, language: Language) -> Passage:
    query = Query(
        text, assistant.embedder.encode_query(text), releases=(Release.parse(release),), strict=True
    )
    best = assistant.retriever.search(query)[0]
    version = best if best.language == language else assistant.retriever.counterpart(best, language)
    assert version is not None
    return version


def pick(found: Passage, *words: str) -> Pick:
    def wanted(sentence: ScoredSentence) -> bool:
        (quote,) = quotes(found, [sentence])
        return sentence.span.kind != "heading" and any(word in quote for word in words)

    return Pick(found, tuple(filter(wanted, found.sentences)))


@pytest.mark.parametrize(
    ("text", "release", "start", "language", "words", "expected"),
    [
        (
            "TCPStore libuv",
            "2.4",
            "en",
            "zh",
            ["now runs on"],
            ["TCPStore 服务端现在默认使用 `libuv` 后端。"],
        ),
        (
            "TCPStore libuv",
            "2.4",
            "zh",
            "en",
            ["1024"],
            ["Starting a job of 1024 ranks takes 16 seconds less."],
        ),
        (
            "AOTInductor 提前编译",
            "2.2",
            "zh",
            "en",
            ["服务器"],
            ["AOTInductor compiles exported models ahead of time for servers without Python."],
        ),
        (
            "AOTInductor",
            "2.2",
            "en",
            "zh",
            ["shared library"],
            ["编译后的模型是一个共享库，由 C++ 程序加载。"],
        ),
    ],
)
def test_the_same_statement_is_found_in_the_other_language(
    assistant: Assistant,
    text: str,
    release: str,
    start: Language,
    language: Language,
    words: list[str],
    expected: list[str],
) -> None:
    across = TranslationAligner(assistant.retriever).across(
        pick(near(assistant, text, release, start), *words), language
    )
    assert across.passage.language == language
    assert quotes(across.passage, across.sentences) == expected


def test_code_crosses_as_code(assistant: Assistant) -> None:
    found = near(assistant, "TCPStore libuv", "2.4", "en")
    code = Pick(found, tuple(s for s in found.sentences if s.span.kind == "code"))
    across = TranslationAligner(assistant.retriever).across(code, "zh")
    assert across.passage.language == "zh" and [s.span.kind for s in across.sentences] == ["code"]


def test_a_pick_in_the_language_asked_stays(assistant: Assistant) -> None:
    found = pick(near(assistant, "TCPStore libuv", "2.4", "en"), "libuv")
    assert TranslationAligner(assistant.retriever).across(found, "en") is found


def test_a_pick_without_a_version_in_the_other_language_stays(assistant: Assistant) -> None:
    found = pick(near(assistant, "FlexAttention", "2.5", "en"), "FlexAttention")
    assert TranslationAligner(assistant.retriever).across(found, "zh") is found


def test_a_figure_that_the_other_version_lacks_keeps_the_pick(factory: AssistantFactory) -> None:
    english = "## TCPStore with libuv {#speed}\n\nStarting a job of 1024 ranks takes 16 seconds less.\n"
    chinese = "## TCPStore 与 libuv {#speed}\n\n1024 个进程的作业启动时间缩短 {}。\n"
    for figure, crosses in (("16 秒", True), ("一些", False)):
        documents = [note("en-2.4", english), note("zh-2.4", chinese.replace("{}", figure))]
        generation, _ = factory.builder.build({document.id: document for document in documents})
        other = Assistant(
            Retriever(generation, factory.segmenter),
            factory.embedder,
            factory.segmenter,
            factory.glossary,
        )
        found = pick(near(other, "starting a job", "2.4", "en"), "1024")
        across = TranslationAligner(other.retriever).across(found, "zh")
        assert (across.passage.language == "zh") == crosses


def test_a_heading_is_no_twin_of_a_sentence(assistant: Assistant) -> None:
    found = near(assistant, "AOTInductor", "2.2", "zh")
    for sentence in found.sentences:
        across = TranslationAligner(assistant.retriever).across(Pick(found, (sentence,)), "en")
        for twin in across.sentences:
            assert (twin.span.kind == "heading") == (sentence.span.kind == "heading")

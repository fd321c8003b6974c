"""An index of documents that name no release, and one without documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.answering.decline import decline
from assistant.assistant import Assistant
from ingest.document import Document
from ingest.errors import TorchnotesError
from ingest.reading import read_document
from tests.assistant.notes import factory_in
from tests.assistant.passages import question
from tests.assistant.rules import check_answer

ENGLISH = """# Team notes

## FlexAttention

FlexAttention needs Python 3.10 and a GPU with capability 8.0.
"""
CHINESE = """# 团队笔记

## TCPStore

TCPStore 默认使用 libuv 后端，可用 USE_LIBUV=0 关闭，需要 Python 3.9。
"""


def undated(name: str, text: str) -> Document:
    document = read_document(
        text, f"notes/{name}.md", facts={"title": name, "kind": "user", "language": name}
    )
    assert document.release is None
    return document


@pytest.fixture(scope="module")
def asked(vectors: Path, tmp_path_factory: pytest.TempPathFactory) -> Assistant:
    """An assistant over two documents that name no release."""
    shop = factory_in(tmp_path_factory.mktemp("undated"), vectors)
    shop.update([undated("en", ENGLISH), undated("zh", CHINESE)])
    return shop.assistant()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Does FlexAttention run on Python 3.14?", "The documents in the index do not mention Python 3.14."),
        ("FlexAttention 支持 Python 3.14 吗？", "索引里的文档没有提到 Python 3.14。"),
    ],
)
def test_a_version_that_is_not_mentioned_is_told(asked: Assistant, text: str, told: str) -> None:
    answer = asked.ask(text)
    assert told in (answer.text.split("\n")[0], answer.notice)
    check_answer(answer)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Does it run on a Zorblatt?", "Searched: documents that name no release."),
        ("它能在 Zorblatt 上运行吗？", "已检索：没有标明版本的文档。"),
    ],
)
def test_a_decline_says_what_was_searched(asked: Assistant, text: str, told: str) -> None:
    answer = asked.ask(text)
    assert answer.abstained and told in answer.text.split("\n")[0] and len(answer.citations) == 2
    check_answer(answer)


@pytest.mark.parametrize(
    "text",
    [
        "What is FlexAttention?",
        "TCPStore 默认后端是什么",
        "What is new in the latest release?",
        "最新版有什么",
        "what breaks in the next release?",
        "since 2.4",
        "Compare 2.3 and 2.4",
        "Since when is there FlexAttention?",
        "2.4 以后的 TCPStore",
        "before 2.4",
    ],
)
def test_every_question_is_answered_or_declined(asked: Assistant, text: str) -> None:
    check_answer(asked.ask(text))
    check_answer(asked.ask("And with CUDA 99.1?", [text]))


def test_no_release_can_be_chosen(asked: Assistant) -> None:
    with pytest.raises(TorchnotesError, match=r"is about release 2\.4; none names a release$"):
        asked.ask("TCPStore", releases=["2.4"])


@pytest.mark.parametrize(
    ("text", "told"),
    [("Eggs?", "Searched: no document at all."), ("鸡蛋？", "已检索：无（索引里没有任何文档）。")],
)
def test_an_index_without_documents_is_told(text: str, told: str) -> None:
    assert told in decline(question(text), [], ())[0]

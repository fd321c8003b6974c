"""What a note announces of a release that none is about."""

from __future__ import annotations

import pytest

from assistant.answering.announced import announced
from assistant.assistant import Assistant
from assistant.retrieval.pick import Pick
from assistant.retrieval.searcher import SearchResult
from assistant.retrieval.sentences import score
from index.search.passage import Passage
from tests.assistant.passages import passage, question, quotes, relevance
from tests.rows import each_row

REMOVAL = """## Quantization

`torch.ao.quantization` will be removed in PyTorch 2.10. It is 2.10 times as slow as FSDP2.

`torch.ao.quantization` needs Python 3.10. It was there in 2.3.
"""


def told(text: str, *passages: Passage) -> list[Pick]:
    asked = question(text)
    words = relevance(asked)
    return announced(asked, SearchResult(passages, passages, words, score(asked, passages, words)))


def said(text: str, *passages: Passage) -> list[str]:
    return [quote for pick in told(text, *passages) for quote in quotes(pick.passage, pick.sentences)]


@each_row(
    ("text", "expected"),
    [
        (
            "Is torch.ao.quantization there in 2.10?",
            ["`torch.ao.quantization` will be removed in PyTorch 2.10."],
        ),
        (
            "2.10 里还有 torch.ao.quantization 吗？",
            ["`torch.ao.quantization` will be removed in PyTorch 2.10."],
        ),
        ("Is torch.ao.quantization there in 2.11?", []),
        ("Is torch.ao.quantization there in 2.3?", []),  # a document is about it
        ("Does FlexAttention change in 2.10?", []),
        ("What is new in 2.10?", []),
    ],
)
def test_only_what_names_the_release_and_all_that_is_asked_for(text: str, expected: list[str]) -> None:
    assert said(text, passage(REMOVAL)) == expected


def test_a_heading_stands_for_its_section_where_no_sentence_tells() -> None:
    section = passage("## torch.ao.quantization goes in 2.10\n\nTo migrate, import torchao instead of it.")
    (heading,) = said("Is torch.ao.quantization there in 2.10?", section)
    assert heading == "## torch.ao.quantization goes in 2.10"


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        ("Do Linux builds move to Manylinux 2.28 in 2.7?", "No document in the index is about PyTorch 2.7."),
        ("2.7 的 Linux 构建会换到 Manylinux 2.28 吗？", "索引里没有 PyTorch 2.7 的文档。"),
    ],
)
def test_an_answer_says_that_no_document_is_about_the_release(
    digest_assistant: Assistant, text: str, notice: str
) -> None:
    answer = digest_assistant.ask(text)
    assert not answer.abstained and answer.notice == notice
    (citation,) = answer.citations
    assert citation.passage.version == "2.6" and "2.7" in citation.quote and "Manylinux" in citation.quote


def test_what_is_new_in_a_release_that_no_document_is_about_is_declined(digest_assistant: Assistant) -> None:
    answer = digest_assistant.ask("What is new in 2.7?")
    assert answer.abstained and not answer.notice

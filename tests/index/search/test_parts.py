"""Parts of sections: found together, paired across languages, and no duplicates of each other."""

from __future__ import annotations

import pytest

from assistant.assistant import Assistant
from index.search.parts import other_part, parts
from index.search.passage import Passage
from index.search.query import Query
from index.search.retriever import Retriever

SECTION = "tcpstore-libuv"


def found(assistant: Assistant, question: str) -> list[Passage]:
    query = Query(question, assistant.embedder.encode_query(question), {}, (), False, ())
    return assistant.retriever.search(query, 20)


@pytest.mark.parametrize(
    ("here", "there", "paired"),
    [
        (range(3, 4), range(8, 11), [8]),
        (range(3, 6), range(8, 9), [8, 8, 8]),
        (range(3, 6), range(8, 11), [8, 9, 10]),
        (range(3, 5), range(8, 12), [8, 11]),
    ],
)
def test_parts_are_paired_by_their_places(here: range, there: range, paired: list[int]) -> None:
    assert [other_part(here, row, there) for row in here] == paired


def test_the_parts_of_a_section_follow_each_other(digest_assistant: Assistant) -> None:
    chunks = digest_assistant.retriever.generation.chunks
    for row, chunk in enumerate(chunks):
        section = parts(chunks, row)
        assert row in section
        assert {(chunks[r].document_id, chunks[r].section) for r in section} == {
            (chunk.document_id, chunk.section)
        }
        for beyond in (section.start - 1, section.stop):
            if 0 <= beyond < len(chunks):
                other = chunks[beyond]
                assert (other.document_id, other.section) != (chunk.document_id, chunk.section)


@pytest.mark.parametrize(
    "question", ["What is the default backend of TCPStore in 2.4?", "2.4 里 TCPStore 默认用什么后端？"]
)
def test_the_prose_of_a_section_is_found_beside_its_code(digest_assistant: Assistant, question: str) -> None:
    """They are near each other by the headings above them: neither is a duplicate of the other."""
    (passage,) = [p for p in found(digest_assistant, question) if p.chunk.section_id == SECTION]
    assert "use_libuv=False" in passage.text and "wait_for_workers" in passage.text
    assert any(word in passage.text for word in ("default server backend", "默认服务端后端"))


def test_the_counterpart_holds_all_that_the_passage_holds(digest_assistant: Assistant) -> None:
    retriever: Retriever = digest_assistant.retriever
    for question, language in (("TCPStore libuv default backend", "zh"), ("TCPStore 默认后端 libuv", "en")):
        passage = next(
            p
            for p in found(digest_assistant, question)
            if p.chunk.section_id == SECTION and p.language != language
        )
        other = retriever.counterpart(passage, "zh" if language == "zh" else "en")
        assert other is not None and other.language == language
        assert ("```" in other.text) == ("```" in passage.text)

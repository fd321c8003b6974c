"""Declines name the nearest sections in the language of the question."""

from __future__ import annotations

import pytest

from assistant.assistant import Assistant


@pytest.mark.parametrize(
    "question",
    [
        "Which Windows graphics driver build does an Arc B580 need for 2.6?",
        "how do I measure the power draw of a GPU in watts with 2.6",
        "2.6 有没有办法量出显卡的功耗是多少瓦？",
    ],
)
def test_nearest_sections_are_in_the_language_of_the_question(
    digest_assistant: Assistant, question: str
) -> None:
    answer = digest_assistant.ask(question)
    assert answer.abstained and answer.citations
    assert {citation.passage.language for citation in answer.citations} == {answer.language}
    assert len({citation.passage.chunk.id for citation in answer.citations}) == len(answer.citations)

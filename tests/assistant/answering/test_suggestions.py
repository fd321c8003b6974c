"""Suggested questions: near what was asked, not answered yet, and answered by what ships."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.answer import Answer, Citation
from assistant.answering import suggestions
from assistant.answering.suggestions import MODEL, load_suggestions, suggested_questions
from assistant.retrieval.known_questions import sentence_key
from index.search.passage import Passage
from tests.assistant.passages import passage

STORE = passage("## TCPStore {#tcpstore}\n\nIt runs on libuv.\n\nUSE_LIBUV=0 brings gloo back.\n")
POOL = passage("## MemPool {#mempool}\n\nA pool keeps its memory.\n")
SHIPPED = {
    "2.4/tcpstore": {
        "en": [
            ["What does TCPStore run on?", [sentence_key("It runs on libuv.")]],
            ["How do I get the old TCPStore back?", [sentence_key("USE_LIBUV=0 brings gloo back.")]],
        ],
        "zh": [["TCPStore 的后端是哪个？", [1]]],
    },
    "2.4/mempool": {"en": [["Does a MemPool keep its memory?", [2]], ["Which allocators use MemPool?", [3]]]},
}


@pytest.fixture(autouse=True)
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "suggestions.json"
    path.write_text(json.dumps(SHIPPED), encoding="utf-8")
    held = load_suggestions.__wrapped__(path)
    monkeypatch.setattr(suggestions, "load_suggestions", lambda: held)


def answer(asked: str, passages: Sequence[Passage] = (STORE, POOL)) -> Answer:
    """An answer that quotes what TCPStore runs on."""
    digests = [replace(p, document=replace(p.document, kind="digest")) for p in passages]
    span = digests[0].sentences[1].span
    cited = (Citation(1, digests[0], span.start, span.end),)
    return Answer(asked, asked, "It runs on libuv. [1]", "en", False, cited, tuple(digests), ())


def test_what_the_answer_told_is_not_suggested() -> None:
    told = suggested_questions(answer("tcpstore or MemPool backend?"))
    assert told == ("How do I get the old TCPStore back?", "Does a MemPool keep its memory?")


def test_what_was_asked_is_not_suggested_again() -> None:
    asked = ("how do i get the old tcpstore back", "does a MemPool keep memory?")
    assert suggested_questions(answer("tcpstore backend?"), asked) == ("Which allocators use MemPool?",)


def test_what_has_no_name_in_common_is_not_suggested() -> None:
    far = replace(answer("tcpstore backend?", (STORE, STORE, STORE, POOL)))
    assert suggested_questions(far) == ("How do I get the old TCPStore back?",)


def test_a_declined_question_has_others_instead() -> None:
    declined = replace(answer("is TCPStore on Mars?"), abstained=True)
    assert suggested_questions(declined)[0] == "What does TCPStore run on?"


def test_they_are_in_the_language_of_the_answer() -> None:
    assert suggested_questions(replace(answer("后端？"), language="zh")) == ("TCPStore 的后端是哪个？",)


def test_other_documents_have_none() -> None:
    told = answer("tcpstore backend?")
    assert suggested_questions(replace(told, citations=(), passages=(STORE,))) == ()


def test_those_that_ship_are_few_and_well_formed() -> None:
    assert MODEL.stat().st_size < 400_000
    held = load_suggestions.__wrapped__(MODEL)
    texts = [q.text for languages in held.values() for some in languages.values() for q in some]
    assert len(texts) > 1000 and all(text.endswith(("?", "？")) and len(text) < 100 for text in texts)

"""Answers and citations: what they say of themselves, and their JSON."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from assistant.answer import Answer, Citation, DraftSentence
from ingest.release import Release
from tests.assistant.passages import passage

FOUND = passage("## [Beta] TCPStore {#tcpstore}\n\nSource: <https://example.org/s>\n\nIt runs on `libuv`.\n")
SPAN = FOUND.sentences[-1].span
CITATION = Citation(1, FOUND, SPAN.start, SPAN.end)
ANSWER = Answer(
    question="And its backend?",
    standalone="What is TCPStore? And its backend?",
    text="It runs on `libuv`. [1]",
    language="en",
    abstained=False,
    citations=(CITATION,),
    passages=(FOUND,),
    releases=(Release(2, 4),),
    timings={"embed": 0.0123456},
)


def test_a_citation_quotes_its_document() -> None:
    assert CITATION.quote == "It runs on `libuv`."
    assert CITATION.text == FOUND.text and CITATION.quote in CITATION.text
    assert CITATION.version == "2.4" and CITATION.url == "https://example.org/s"


def test_a_citation_is_json_ready() -> None:
    assert json.loads(json.dumps(CITATION.to_dict())) == {
        "number": 1,
        "quote": "It runs on `libuv`.",
        "release": "2.4",
        "title": "Notes en-2.4",
        "heading": "PyTorch 2.4 > [Beta] TCPStore",
        "status": "beta",
        "language": "en",
        "url": "https://example.org/s",
        "origin": "notes/en-2.4.md",
        "document_id": FOUND.document.id,
        "start": SPAN.start,
        "end": SPAN.end,
        "paired": None,
    }


def test_a_citation_carries_its_paired_passage() -> None:
    other = passage("## [Beta] TCPStore {#tcpstore}\n\n它使用 `libuv`。\n", "zh-2.4")
    paired = replace(CITATION, paired=other).to_dict()["paired"]
    assert paired["text"] == other.text and paired["language"] == "zh"
    assert paired["document_id"] == other.document_id and paired["url"] == other.url


def test_an_answer_is_json_ready_and_complete() -> None:
    data = json.loads(json.dumps(ANSWER.to_dict(), ensure_ascii=False))
    names = {field.name for field in fields(Answer)} | {"notice", "unproved"}
    assert data.keys() == names - {"pending", "stages"}  # a draft is no answer; timings tell of the stages
    assert data["releases"] == ["2.4"] and data["timings"] == {"embed": 0.0123}
    assert data["citations"] == [CITATION.to_dict()] and data["passages"] == [FOUND.to_dict()]
    for name in ("question", "standalone", "text", "language", "abstained"):
        assert data[name] == getattr(ANSWER, name)


WRITTEN = DraftSentence("Yes.", "proved", citations=(1,))


def test_what_a_language_model_did_is_json_ready() -> None:
    told = replace(
        ANSWER,
        model="m",
        notices=("One is left out.",),
        sentences=(DraftSentence("It is 3x.", "contradicted", "no 3x", shown=False), WRITTEN),
    )
    data = json.loads(json.dumps(told.to_dict()))
    assert (data["model"], data["notices"], data["notice"]) == ("m", ["One is left out."], "One is left out.")
    assert data["unproved"] == [{"text": "It is 3x.", "reason": "no 3x"}]
    assert data["sentences"][1] == {
        "text": "Yes.",
        "outcome": "proved",
        "reason": "",
        "citations": [1],
        "shown": True,
    }
    assert (ANSWER.model, ANSWER.notices, ANSWER.notice) == ("", (), "")
    assert (ANSWER.unproved, ANSWER.pending) == ((), "")


def test_answers_are_equal_whatever_time_they_took() -> None:
    assert replace(ANSWER, timings={}) == ANSWER
    assert replace(ANSWER, text="No. [1]") != ANSWER


def test_an_answer_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        ANSWER.text = "something else"  # type: ignore[misc]

"""What a browser sends of an answer and its rating, read strictly."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from assistant.assistant import Assistant
from assistant.feedback.record import MAX_ITEMS, MAX_QUOTE, MAX_TEXT
from assistant.feedback.store import MAX_COMMENT, REASONS, Feedback, record
from ingest.errors import TorchnotesError
from ingest.release import Release
from tests.assistant.answers import answer
from tests.assistant.ratings import CITATION, RECORD, rating
from tests.rows import each_row


def test_a_record_comes_back_through_json(assistant: Assistant) -> None:
    asked = "Which backend does TCPStore use in 2.4?"
    given = assistant.ask(asked, ["What is TCPStore?"], releases=["2.4"])
    versions = assistant.versions
    kept = record(given, history=["What is TCPStore?"], releases=["2.4"])
    sent = json.loads(json.dumps(kept)) | {"good": False, "reason": "incomplete", "comment": "端口呢？"}
    read = Feedback.parse(sent)
    assert (read.question, read.text, read.abstained) == (asked, given.text, False)
    assert read.history == ("What is TCPStore?",) and read.releases == (Release(2, 4),)
    assert [each["quote"] for each in read.citations] == [each.quote for each in given.citations]
    assert read.passages == tuple(each.chunk.id for each in given.passages)
    assert read.versions == versions and versions["index"] == assistant.retriever.generation.name
    assert Feedback.parse(json.loads(json.dumps(read.to_dict()))) == read
    again = Feedback.of(
        given,
        good=False,
        reason="incomplete",
        comment="端口呢？",
        answer_id=read.answer_id,
        history=["What is TCPStore?"],
        releases=["2.4"],
        rated_at=read.rated_at,
    )
    assert again == read


def test_each_record_has_an_id_of_its_own() -> None:
    given = answer("text")
    assert record(given)["answer_id"] != record(given)["answer_id"]
    assert record(given, answer_id="mine-0001")["answer_id"] == "mine-0001"


def test_what_is_too_long_is_cut_in_a_record_so_that_it_can_be_rated() -> None:
    long = answer("长" * (MAX_TEXT + 1), cited=[("2.4", "x")] * (MAX_ITEMS + 1))
    long = replace(long, standalone="s" * 10_000, question="half a pair \ud800")
    read = Feedback.of(long, good=True, history=["q" * 5000, " "] * (MAX_ITEMS + 1))
    assert len(read.text) == MAX_TEXT and read.text.startswith("长")
    assert len(read.citations) == MAX_ITEMS and len(read.standalone) == 8000
    assert len(read.history) == MAX_ITEMS and read.question == "half a pair ?"


@pytest.mark.parametrize(
    ("written", "hour"),
    [("2026-05-09T07:35:00Z", 7), ("2026-05-09T07:35:00.123+08:00", 23), ("2026-05-09T07:35:00-01:30", 9)],
    ids=["browser", "east", "west"],
)
def test_times_are_in_utc(written: str, hour: int) -> None:
    read = rating(rated_at=written).rated_at
    assert read.tzinfo == timezone.utc and read.hour == hour


def test_without_a_time_it_is_now() -> None:
    values = {key: value for key, value in RECORD.items() if key != "rated_at"}
    assert datetime.now(timezone.utc) - Feedback.parse(values).rated_at < timedelta(minutes=1)


def test_reason_and_comment_may_be_left_out() -> None:
    values = {key: value for key, value in RECORD.items() if key not in ("reason", "comment")}
    assert (Feedback.parse(values).reason, Feedback.parse(values).comment) == ("", "")


@each_row("reason", REASONS)
def test_a_bad_answer_may_have_any_reason_of_the_set(reason: str) -> None:
    assert rating(good=False, reason=reason).reason == reason


def cited(**changes: Any) -> dict[str, Any]:
    return {"citations": [CITATION | changes]}


@each_row(
    ("changes", "message"),
    [
        pytest.param({"extra": 1}, '"extra" is no key; there are answer_id, ', id="key"),
        pytest.param({"id": 1}, '"id" is no key', id="id"),
        pytest.param({"good": "yes"}, '"good" holds "yes"; it must be true or false', id="good"),
        pytest.param({"good": 1}, '"good" holds 1; ', id="good-number"),
        pytest.param({"good": None}, '"good" holds null; ', id="good-null"),
        pytest.param(
            {"good": False, "reason": "ugly"}, '"reason" holds "ugly"; it must be one of ', id="reason"
        ),
        pytest.param(
            {"good": False, "reason": ["wrong"]}, '"reason" holds \\["wrong"\\]; ', id="reason-list"
        ),
        pytest.param(
            {"reason": "wrong"}, 'a good answer has no reason; "wrong" is one of a bad', id="good-bad"
        ),
        pytest.param({"comment": 3}, '"comment" holds 3; it must be a text', id="comment"),
        pytest.param(
            {"comment": "x" * (MAX_COMMENT + 1)},
            '"comment" holds 2001 characters; at most 2000 are kept',
            id="comment-long",
        ),
        pytest.param(
            {"comment": "\ud800"}, '"comment" holds .*; it must be a text of whole char', id="surrogate"
        ),
        pytest.param({"answer_id": "short"}, '"answer_id" holds|"answer_id" must be', id="answer-id-short"),
        pytest.param(
            {"answer_id": "x" * 65}, '"answer_id" holds 65 characters; at most 64', id="answer-id-long"
        ),
        pytest.param(
            {"answer_id": "a b/c'd;e-f"}, '"answer_id" must be letters, digits', id="answer-id-signs"
        ),
        pytest.param(
            {"answer_id": 12345678}, '"answer_id" holds 12345678; it must be a text', id="answer-id"
        ),
        pytest.param({"question": ""}, "the question is empty; ", id="question-empty"),
        pytest.param({"question": "x" * 4001}, '"question" holds 4001 characters; ', id="question-long"),
        pytest.param({"question": None}, '"question" holds null; it must be a text', id="question"),
        pytest.param({"standalone": "x" * 8001}, '"standalone" holds 8001 characters', id="standalone"),
        pytest.param({"history": "one"}, '"history" holds "one"; it must be a list', id="history"),
        pytest.param({"history": [1]}, '"history" holds 1; it must be a text', id="history-number"),
        pytest.param({"history": [""]}, '"history" holds ""; .* not empty', id="history-empty"),
        pytest.param(
            {"history": ["q"] * 51}, '"history" holds 51 values; at most 50 are kept', id="history-long"
        ),
        pytest.param(
            {"releases": [2.4]}, '"releases" holds 2.4; it must be releases as texts', id="releases"
        ),
        pytest.param({"releases": ["two"]}, '"releases" holds "two"; ', id="releases-word"),
        pytest.param(
            {"releases": {"2.4": 1}}, '"releases" holds .*; it must be a list', id="releases-object"
        ),
        pytest.param(
            {"language": "fr"}, '"language" holds "fr"; it must be one of "zh", "en"', id="language"
        ),
        pytest.param({"text": ["x"]}, '"text" holds', id="text"),
        pytest.param({"text": "x" * (MAX_TEXT + 1)}, '"text" holds 100001 characters', id="text-long"),
        pytest.param({"abstained": 0}, '"abstained" holds 0; it must be true or false', id="abstained"),
        pytest.param({"citations": [CITATION] * 51}, '"citations" holds 51 values', id="citations-long"),
        pytest.param({"citations": CITATION}, '"citations" holds .*; it must be a list', id="citations"),
        pytest.param({"citations": ["x"]}, 'citations: "x" is no object', id="citation"),
        pytest.param({"citations": [{"number": 1}]}, 'citations: "chunk_id" is missing', id="citation-part"),
        pytest.param(cited(more=1), 'citations: "more" is no key', id="citation-key"),
        pytest.param(cited(number=True), 'citations: "number" holds true; it must be a whole', id="number"),
        pytest.param(cited(number=0), '"number" holds 0; it must be a whole number from 1', id="number-low"),
        pytest.param(cited(chunk_id=""), '"chunk_id" holds ""; .* not empty', id="chunk"),
        pytest.param(cited(document_id="x" * 501), '"document_id" holds 501 characters', id="document"),
        pytest.param(cited(release="latest"), '"release" holds "latest"; ', id="release"),
        pytest.param(cited(release=2.1), '"release" holds 2.1; ', id="release-number"),
        pytest.param(cited(url=None), '"url" holds null; ', id="url"),
        pytest.param(cited(quote="x" * (MAX_QUOTE + 1)), '"quote" holds 20001 characters', id="quote"),
        pytest.param({"passages": [7]}, '"passages" holds 7; ', id="passages"),
        pytest.param({"passages": ["x"] * 51}, '"passages" holds 51 values', id="passages-long"),
        pytest.param({"model": "x" * 501}, '"model" holds 501 characters', id="model"),
        pytest.param({"versions": []}, "versions: \\[\\] is no object", id="versions"),
        pytest.param(
            {"versions": {"os": "x"}}, 'versions: "os" is no key; there are torchnotes', id="version-key"
        ),
        pytest.param({"versions": {"index": 1}}, 'versions: "index" holds 1; ', id="version"),
        pytest.param({"rated_at": "2026-05-09T07:35:00"}, '"rated_at" holds .* with its zone', id="naive"),
        pytest.param({"rated_at": "yesterday"}, '"rated_at" holds "yesterday"; ', id="time"),
        pytest.param({"rated_at": 1_700_000_000}, '"rated_at" holds 1700000000; ', id="time-number"),
        pytest.param({"rated_at": "0001-01-01T00:00:00+23:00"}, '"rated_at" holds ', id="time-before-time"),
    ],
)
def test_what_is_wrong_is_refused_in_one_line(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(
        TorchnotesError, match=f"^feedback: .*(?:{message})|^feedback: (?:{message})"
    ) as refused:
        rating(**changes)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 300


@each_row("key", [key for key in RECORD if key not in ("reason", "comment", "rated_at")])
def test_nothing_may_be_missing(key: str) -> None:
    values = {other: value for other, value in RECORD.items() if other != key}
    with pytest.raises(TorchnotesError, match=f'^feedback: "{key}" is missing; there must be answer_id, '):
        Feedback.parse(values)


@pytest.mark.parametrize("given", [None, [], "text", 3, float("nan")], ids=str)
def test_what_is_no_object_is_refused(given: object) -> None:
    with pytest.raises(TorchnotesError, match=r"^feedback: .* is no object; send one with answer_id, "):
        Feedback.parse(given)  # type: ignore[arg-type]

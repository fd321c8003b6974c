"""Questions made of feedback: those of a good answer find that answer right."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.assistant import Assistant
from assistant.evaluation.loader import parse_question
from assistant.evaluation.scoring import score
from assistant.feedback.export import Exporter, GoldLine, dumped
from assistant.feedback.store import Feedback
from ingest.errors import SourceError
from tests.assistant.ratings import CITATION, rating
from tests.ingest.splitting import segmenter
from tests.rows import each_row

QUESTIONS = [
    pytest.param("Which backend does TCPStore use by default in 2.4?", (), id="en"),
    pytest.param("2.4 里 TCPStore 默认用什么后端？", (), id="zh"),
    pytest.param("grouped_mm 在 H100 上快多少？", (), id="figures"),
    pytest.param("How do I turn libuv off?", (), id="code"),
    pytest.param("How are checkpoints saved by several ranks in 2.3?", (), id="words"),
    pytest.param("On which platforms are there wheels in 2.5?", (), id="table"),
    pytest.param(
        "And how do I turn it off?", ("What is the libuv backend of TCPStore in 2.4?",), id="follow-up"
    ),
    pytest.param("torch.load 在 2.7 有什么不兼容的变化？", (), id="across-languages"),
    pytest.param("What is new in 2.4?", (), id="many"),
]


@pytest.fixture(params=[True, False], ids=["with-index", "without-index"])
def exporter(request: pytest.FixtureRequest, assistant: Assistant) -> Exporter:
    """One that knows the index, and one that does not."""
    generation = assistant.retriever.generation if request.param else None
    return Exporter(assistant.segmenter.words, generation)


@pytest.mark.parametrize(("question", "history"), QUESTIONS)
def test_a_good_answer_is_right_by_its_own_question(
    assistant: Assistant, exporter: Exporter, question: str, history: tuple[str, ...]
) -> None:
    answer = assistant.ask(question, history)
    assert not answer.abstained
    made = exporter.questions([Feedback.of(answer, good=True, history=history)])
    (line,) = made.scored
    assert not made.waiting
    read = parse_question(dumped(line), "it:1")
    again = assistant.ask(read.text, read.history)
    scored = score(read, again, 0.0)
    assert scored.right and scored.cited == 1 and scored.facts == 1 and not scored.faults
    quotes = [each.quote for each in answer.citations]
    for evidence in line["evidence"]:
        assert any(all(key in quote for [key] in evidence["keys"]) for quote in quotes)
    for [fact] in line["facts"]:
        assert any(fact in quote for quote in quotes)


def test_keys_tell_a_passage_from_all_others_of_its_release(assistant: Assistant) -> None:
    answer = assistant.ask("How do I turn libuv off in 2.4?")
    exporter = Exporter(assistant.segmenter.words, assistant.retriever.generation)
    (line,) = exporter.questions([Feedback.of(answer, good=True)]).scored
    generation = assistant.retriever.generation
    texts = [
        generation.documents[chunk.document_id].text[chunk.start : chunk.end]
        for chunk in generation.chunks
        if str(generation.documents[chunk.document_id].release) == "2.4"
        and generation.documents[chunk.document_id].language == "en"
    ]
    keys = [key for [key] in line["evidence"][0]["keys"]]
    assert len([text for text in texts if all(key in text for key in keys)]) == 1 < len(texts)


def lines(*given: Feedback) -> tuple[list[GoldLine], list[GoldLine]]:
    made = Exporter(segmenter().words).questions(given)
    return list(made.scored), list(made.waiting)


def test_a_good_answer_becomes_evidence_and_facts() -> None:
    ((line,), waiting) = lines(rating(comment="对"))
    assert not waiting
    assert line == {
        "id": "feedback-answer-00000001",
        "lang": "en",
        "kind": "confirmed",
        "question": "What is the default backend of TCPStore in 2.4?",
        "history": ["What is TCPStore?"],
        "evidence": [{"version": "2.4", "keys": [["TCPStore"], ["libuv"], ["2.4"]]}],
        "facts": [["libuv"]],  # the rest is in the question
        "note": {"rated": "2026-05-09", "good": True, "comment": "对"},
    }


def test_the_release_is_a_fact_where_the_question_does_not_name_it() -> None:
    ((line,), _) = lines(rating(question="Since when does TCPStore use libuv?", history=[]))
    assert line["facts"] == [["2.4"]]


def test_each_passage_is_evidence_once() -> None:
    other = CITATION | {"number": 2, "chunk_id": "c-2", "quote": "`USE_LIBUV=0` goes back."}
    none = CITATION | {"number": 4, "chunk_id": "c-4", "release": ""}
    ((line,), _) = lines(rating(citations=[CITATION, other, CITATION | {"number": 3}, none]))
    assert [each["keys"][0] for each in line["evidence"]] == [["TCPStore"], ["USE_LIBUV=0"]]


@pytest.mark.parametrize(
    "changes",
    [
        {"abstained": True, "citations": []},
        {"good": False, "reason": "should-decline"},
        {"good": False, "reason": "should-decline", "abstained": True},
    ],
    ids=["declined-rightly", "should-decline", "both"],
)
def test_what_is_to_be_declined_has_no_evidence(changes: dict[str, Any]) -> None:
    ((line,), waiting) = lines(rating(**changes))
    assert not waiting and line["evidence"] == line["facts"] == []
    assert not parse_question(dumped(line), "it:1").answerable


@each_row(
    ("changes", "why"),
    [
        pytest.param({"good": False}, 'tell in "evidence" and "facts" what', id="bad"),
        pytest.param({"good": False, "reason": "wrong"}, 'tell in "evidence"', id="wrong"),
        pytest.param(
            {"good": False, "reason": "not-found", "abstained": True}, 'tell in "ev', id="not-found"
        ),
        pytest.param(
            {"releases": ["2.4", "2.5"]}, "asked of 2.4, 2.5 alone, which eval cannot", id="releases"
        ),
        pytest.param({"abstained": True, "releases": ["2.4"]}, "asked of 2.4 alone", id="declined-releases"),
        pytest.param(
            {"question": "2.4 里 TCPStore 用什么？"}, "answered in the other language", id="language"
        ),
        pytest.param({"citations": []}, '"evidence" is missing', id="no-citation"),
        pytest.param({"citations": [CITATION | {"release": ""}]}, '"evidence" is missing', id="no-release"),
        pytest.param({"text": "Another thing."}, '"facts" is missing', id="no-fact"),
    ],
)
def test_what_cannot_be_scored_waits_for_a_person(changes: dict[str, Any], why: str) -> None:
    given = rating(**changes)
    scored, (line,) = lines(given)
    assert not scored and why in line["todo"]
    assert line["note"]["answer"] == given.text and line["note"]["declined"] is given.abstained
    assert line["note"].get("reason", "") == given.reason
    assert [each["quote"] for each in line["note"]["cited"]] == [each["quote"] for each in given.citations]


def test_a_line_that_waits_is_refused_until_it_is_complete() -> None:
    _, (line,) = lines(rating(good=False, reason="wrong"))
    with pytest.raises(SourceError, match='"todo" is no key of a question'):
        parse_question(dumped(line), "it:1")
    del line["todo"]
    with pytest.raises(SourceError, match='"evidence" is missing'):
        parse_question(dumped(line), "it:1")
    line |= {"evidence": [{"version": "2.4", "keys": [["libuv"]]}], "facts": [["libuv"]]}
    assert parse_question(dumped(line), "it:1").kind == "corrected"


def test_of_several_ratings_of_a_question_the_newest_counts() -> None:
    first = rating()
    later = rating(answer_id="answer-00000002", good=False, reason="wrong", rated_at="2026-06-01T00:00:00Z")
    made = Exporter(segmenter().words).questions([later, first])
    assert not made.scored and len(made.waiting) == 1 and made.repeated == 1
    elsewhere = rating(answer_id="answer-00000003", history=[])  # another question without its history
    assert len(lines(first, elsewhere)[0]) == 2

"""Files of questions: what is read, and what is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.evaluation.gold import GoldEvidence
from assistant.evaluation.loader import parse_question, read_questions
from ingest.errors import SourceError
from ingest.release import Release
from tests.assistant.answers import DECLINE, ROW, gold
from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[3]


def line(**changes: Any) -> str:
    return json.dumps(ROW | changes)


def without(key: str) -> str:
    return json.dumps({name: value for name, value in ROW.items() if name != key})


def test_a_line_is_a_question_with_what_a_right_answer_holds() -> None:
    question = gold(history=["What is new?"], note="mine")
    assert (question.id, question.language, question.kind) == ("q-1", "en", "howto")
    assert question.text == ROW["question"] and question.history == ("What is new?",)
    assert question.evidence == (GoldEvidence(Release(2, 4), (("libuv",), ("TCPStore", "TCP store"))),)
    assert question.facts == (("USE_LIBUV=0",), ("TCPStore",)) and question.forbidden == ("gloo",)
    assert question.answerable and question.place == "mine.jsonl:1"


def test_only_what_is_needed_must_be_there() -> None:
    rows = {key: DECLINE.get(key, ROW[key]) for key in ("id", "lang", "kind", "question")}
    question = parse_question(json.dumps(rows), "mine.jsonl:1")
    assert not question.answerable
    assert (question.history, question.evidence, question.facts, question.forbidden) == ((), (), (), ())


def test_a_patch_number_names_the_same_release() -> None:
    (evidence,) = gold(evidence=[{"version": "v2.4.1", "keys": [["libuv"]]}]).evidence
    assert evidence.release == Release(2, 4)


@each_row(
    ("text", "message"),
    [
        pytest.param("{", "this is no JSON (Expecting property name", id="no-json"),
        pytest.param("[" * 200_000, "this is no JSON (", id="too-deep"),
        pytest.param("[1]", "[1] is no object; write {...} with id, lang, kind, question", id="no-object"),
        pytest.param(
            without("lang"), '"lang" is missing; there must be id, lang, kind, question', id="missing"
        ),
        pytest.param(
            line(fact=[]), '"fact" is no key of a question; did you mean "facts"? there', id="near-key"
        ),
        pytest.param(line(xyz=1), '"xyz" is no key of a question; there are id, lang, kind,', id="far-key"),
        pytest.param(line(id=7), '"id" holds 7; give a text that is not empty', id="id"),
        pytest.param(line(kind=" "), '"kind" holds " "; give a text that is not empty', id="kind"),
        pytest.param(line(lang="fr"), '"lang" holds "fr"; give "zh" or "en"', id="lang"),
        pytest.param(line(question=""), '"question" holds ""; give a text that', id="question"),
        pytest.param(line(question=None), '"question" holds null; give a text', id="null"),
        pytest.param(
            line(question="x" * 5000), "has 5000 characters; at most 4000 are read", id="question-long"
        ),
        pytest.param(
            line(history="x"), '"history" holds "x"; give the earlier questions, oldest', id="history"
        ),
        pytest.param(line(history=[""]), '"history" holds ""; give texts that are not', id="history-empty"),
        pytest.param(
            without("facts"), '"facts" is missing; only a question of kind "unanswerable" or', id="facts"
        ),
        pytest.param(line(evidence=[]), '"evidence" is missing; only a question of kind', id="no-evidence"),
        pytest.param(
            line(kind="offtopic"), 'of kind "offtopic" has no "evidence": it is to be declined', id="decline"
        ),
        pytest.param(
            line(**DECLINE | {"forbid": ["x"]}), 'of kind "unanswerable" has no "forbid"', id="decline-forbid"
        ),
        pytest.param(
            line(evidence={}), '"evidence" holds {}; give a list such as [{"version"', id="evidence"
        ),
        pytest.param(
            line(evidence=["2.4"]), '"evidence" holds "2.4"; give objects such as', id="evidence-text"
        ),
        pytest.param(
            line(evidence=[{"version": "2.4"}]), 'holds {"version": "2.4"}; give objects such', id="no-keys"
        ),
        pytest.param(
            line(evidence=[{"version": "2.4", "keys": [["x"]], "url": ""}]),
            '"url" is no key of evidence; there are version, keys',
            id="evidence-key",
        ),
        pytest.param(
            line(evidence=[{"version": 2.1, "keys": [["x"]]}]),
            '"version" holds 2.1; give a release as a text, such as "2.4"',
            id="version-number",
        ),
        pytest.param(
            line(evidence=[{"version": "new", "keys": [["x"]]}]), '"version" holds "new"; give', id="version"
        ),
        pytest.param(
            line(evidence=[{"version": "2.4", "keys": []}]), '"keys" holds []; give at least one', id="keys"
        ),
        pytest.param(
            line(evidence=[{"version": "2.4", "keys": ["libuv"]}]),
            '"keys" holds ["libuv"]; give a list of lists of texts, such as [["libuv"],',
            id="keys-flat",
        ),
        pytest.param(
            line(facts=["x"]), '"facts" holds ["x"]; give a list of lists of texts', id="facts-flat"
        ),
        pytest.param(line(facts=[[]]), '"facts" holds [[]]; give a list of lists of texts', id="facts-none"),
        pytest.param(line(facts=[[3]]), '"facts" holds 3; give texts that are not empty', id="facts-number"),
        pytest.param(line(forbid="gloo"), '"forbid" holds "gloo"; give a list of texts', id="forbid"),
        pytest.param(
            line(forbid=[""]), '"forbid" holds ""; give texts that are not empty', id="forbid-empty"
        ),
        pytest.param(line(facts="x" * 500), '"facts" holds "' + "x" * 58 + "…; give", id="long"),
    ],
)
def test_what_is_no_question_is_refused(text: str, message: str) -> None:
    with pytest.raises(SourceError) as refused:
        parse_question(text, "mine.jsonl:3")
    told = str(refused.value)
    assert told.startswith("mine.jsonl:3: ") and message in told and "\n" not in told
    assert told.endswith(" `torchnotes eval --help` shows such a line")


def test_files_are_read_in_order_without_their_blank_lines(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_bytes(b"\xef\xbb\xbf" + f"\r\n{line()}\r\n\r\n{line(id='q-2')}".encode())
    odd = json.dumps(ROW | {"id": "q-3", "note": "a\u2028b"}, ensure_ascii=False)
    second.write_text(f"{odd}\n", encoding="utf-8")
    questions = read_questions([second, first])
    assert [(q.id, q.place) for q in questions] == [
        ("q-3", f"{second}:1"),
        ("q-1", f"{first}:2"),
        ("q-2", f"{first}:4"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "a.jsonl: it holds no question; write one JSON object a line", id="empty"),
        pytest.param(b" \n\n", "a.jsonl: it holds no question", id="blank"),
        pytest.param(b"\n\xff\xfe", "a.jsonl:2: this is no UTF-8 text; save the file", id="encoding"),
        pytest.param(f"{line()}\n\n{line()}\n".encode(), 'a.jsonl:3: the id "q-1" is taken at ', id="twice"),
        pytest.param(
            f"{line()}\nx\n".encode(), "a.jsonl:2: this is no JSON (Expecting value, column 1)", id="json"
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(SourceError) as refused:
        read_questions([path])
    assert message in str(refused.value)


def test_an_id_is_the_only_one_of_all_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(line())
    with pytest.raises(SourceError, match=r'b:1: the id "q-1" is taken at .*a:1; give each an'):
        read_questions([tmp_path / "a", tmp_path / "b"])


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="this is a folder; give files of questions"):
        read_questions([tmp_path])
    with pytest.raises(SourceError, match=r"nowhere.jsonl: there is no such file; give one of questions"):
        read_questions([tmp_path / "nowhere.jsonl"])


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(line())
    with pytest.raises(SourceError, match=r"b: it cannot be read \(Not a directory\); give another file"):
        read_questions([tmp_path / "a" / "b"])


def test_our_own_questions_can_be_read() -> None:
    assert len(read_questions([ROOT / "tests" / "quality" / "questions.jsonl"])) >= 600

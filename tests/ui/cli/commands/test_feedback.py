"""`torchnotes feedback`: what readers said, and the questions made of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assistant.factory import AssistantFactory
from assistant.feedback.store import FILE, Feedback, FeedbackStore, Reason
from assistant.settings import Settings
from tests.assistant.ratings import rating
from tests.ui.saying import said

RIGHT = "What is the default backend of TCPStore in 2.4?"
CHINESE = "FlexAttention 是哪个版本加入的？"
OFFTOPIC = "Who won the football world cup in Brazil?"


@pytest.fixture
def store(empty_home: Path) -> FeedbackStore:
    return FeedbackStore(empty_home / FILE)


@pytest.fixture(scope="module")
def ratings(built: Path) -> list[Feedback]:
    """Five answers of the small index, rated: three that can be scored, two that wait."""
    assistant = AssistantFactory(Settings(home=built, shipped_corpus=False)).assistant()
    given: list[tuple[str, bool, Reason, str]] = [
        (RIGHT, True, "", ""),
        (CHINESE, True, "", "很好\x1b[31m"),
        (OFFTOPIC, True, "", ""),
        ("What does FSDP2 shard?", False, "incomplete", "says nothing of DTensor"),
        ("How is a custom operator registered?", False, "", ""),
    ]
    return [
        Feedback.of(assistant.ask(question), good=good, reason=reason, comment=comment)
        for question, good, reason, comment in given
    ]


@pytest.fixture
def rated(home: Path, ratings: list[Feedback]) -> FeedbackStore:
    """A home folder with the notes in its index, and the ratings of answers from it."""
    store = FeedbackStore(home / FILE)
    for each in ratings:
        store.add(each)
    return store


def read(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.usefixtures("rated")
def test_what_is_exported_scores_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From the thumbs to the table of eval, on the same index."""
    code, out, err = said(capsys, "feedback", "export")
    assert code == 0
    lines = read(out)
    assert [line["question"] for line in lines] == [RIGHT, CHINESE, OFFTOPIC]
    assert [line["kind"] for line in lines] == ["confirmed", "confirmed", "unanswerable"]
    assert "很好" in out and "\x1b" not in out
    assert err.splitlines() == [
        "3 questions exported",
        "2 questions wait for a person to tell the right answer; "
        "type `torchnotes feedback export --to-complete FILE`",
    ]
    mine = tmp_path / "mine.jsonl"
    mine.write_text(out, encoding="utf-8")
    code, out, _ = said(capsys, "eval", "--json", "--min-right", "1", str(mine))
    told = json.loads(out)
    assert code == 0 and told["total"]["right_count"] == 3 and told["misses"] == []
    assert [row.get("cited") for row in told["rows"]] == [1, 1, None]
    assert [row.get("facts") for row in told["rows"]] == [1, 1, None]


@pytest.mark.usefixtures("rated")
def test_what_waits_is_completed_and_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scored, waiting = tmp_path / "scored.jsonl", tmp_path / "waiting.jsonl"
    code, out, err = said(
        capsys, "feedback", "export", "--output", str(scored), "--to-complete", str(waiting)
    )
    assert (code, out) == (0, "")
    assert f"3 questions exported to {scored}\n2 questions to complete in {waiting}: do what " in err
    assert len(read(scored.read_text(encoding="utf-8"))) == 3
    first, second = read(waiting.read_text(encoding="utf-8"))
    assert first["note"]["reason"] == "incomplete" and first["note"]["comment"] == "says nothing of DTensor"
    assert (
        "shards each parameter" in first["note"]["answer"] and first["note"]["cited"][0]["release"] == "2.4"
    )
    code, _, err = said(capsys, "eval", str(waiting))
    assert code == 2 and 'waiting.jsonl:1: "todo" is no key of a question' in err
    for line in (first, second):
        assert line.pop("todo") == (
            'tell in "evidence" and "facts" what a right answer holds, or set "kind" to "unanswerable"; '
            "then delete this"
        )
    first |= {"evidence": [{"version": "2.4", "keys": [["FSDP2"]]}], "facts": [["DTensor"]]}
    second["kind"] = "unanswerable"
    mine = tmp_path / "mine.jsonl"
    mine.write_text("\n".join(map(json.dumps, (first, second))), encoding="utf-8")
    code, out, _ = said(capsys, "eval", "--json", str(mine), str(scored))
    assert code == 0 and json.loads(out)["total"]["count"] == 5


@pytest.mark.parametrize(
    ("option", "scored", "waiting"),
    [("--good", 3, 0), ("--bad", 0, 2), ("--all", 3, 2)],
    ids=["good", "bad", "all"],
)
@pytest.mark.usefixtures("rated")
def test_one_kind_of_rating_can_be_exported(
    capsys: pytest.CaptureFixture[str], option: str, scored: int, waiting: int
) -> None:
    code, out, err = said(capsys, "feedback", "export", option)
    assert code == 0 and len(out.splitlines()) == scored
    assert err.startswith(f"{scored} questions exported") and (f"{waiting} questions wait" in err) is bool(
        waiting
    )


def test_without_an_index_keys_are_those_of_the_quote(
    store: FeedbackStore, capsys: pytest.CaptureFixture[str]
) -> None:
    store.add(rating())
    code, out, err = said(capsys, "feedback", "export")
    assert (code, err) == (0, "1 question exported\n")
    assert read(out)[0]["evidence"] == [{"version": "2.4", "keys": [["TCPStore"], ["libuv"], ["2.4"]]}]


def test_earlier_ratings_are_told_of(store: FeedbackStore, capsys: pytest.CaptureFixture[str]) -> None:
    store.add(rating())
    store.add(rating(answer_id="answer-00000002"))
    _, out, err = said(capsys, "feedback", "export")
    assert len(out.splitlines()) == 1
    assert err == "1 question exported\n1 earlier rating of the same questions left out\n"


def test_an_index_that_cannot_be_read_is_told_of(
    rated: FeedbackStore, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in rated.path.parent.rglob("chunks.jsonl"):
        path.write_text("")
    code, out, err = said(capsys, "feedback", "export")
    assert code == 0 and len(out.splitlines()) == 3
    assert err.startswith("keys are chosen without the index, and may fit other passages: ")


@pytest.mark.parametrize("option", ["--output", "--to-complete"])
def test_no_file_is_written_over(
    store: FeedbackStore, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    store.add(rating())
    mine = tmp_path / "mine.jsonl"
    mine.write_text("hours of work")
    code, out, err = said(capsys, "feedback", "export", option, str(mine))
    assert (code, out) == (2, "") and len(err.splitlines()) == 1
    assert "mine.jsonl: there is one already, which may hold your own work; give another name" in err
    assert mine.read_text() == "hours of work"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["-o", "no/such/mine"], "mine: it cannot be written (No such file", id="folder"),
        pytest.param(["-o", "a", "--to-complete", "./a"], "a: give --output and --to-complete", id="same"),
    ],
)
def test_a_file_that_cannot_be_written(
    store: FeedbackStore, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    store.add(rating())
    code, out, err = said(capsys, "feedback", "export", *arguments)
    assert (code, out) == (2, "") and message in err and len(err.splitlines()) == 1


def test_with_no_feedback_nothing_is_written(
    store: FeedbackStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, "feedback", "export", "-o", str(tmp_path / "mine.jsonl"))
    assert (code, out, err) == (0, "", "0 questions exported\n")
    assert not (tmp_path / "mine.jsonl").exists() and not store.path.exists()


def test_the_list_has_a_line_a_rating_newest_first(
    store: FeedbackStore, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, "feedback", "list") == (0, "", f"0 ratings in {store.path}\n")
    store.add(rating())
    hostile = rating(
        answer_id="answer-00000002",
        question="两行\n问题\x1b[2J" + "长" * 100,
        good=False,
        reason="not-found",
        comment="two\nlines\u202e",
        rated_at="2026-05-10T08:00:00Z",
    )
    store.add(hostile)
    code, out, err = said(capsys, "feedback", "list")
    first, second = out.splitlines()
    assert code == 0 and err == f"2 ratings in {store.path}\n"
    assert re.fullmatch(r"   2  2026-05-10 08:00 UTC  bad: not-found +两行 问题\[2J长+… — two lines", first)
    assert re.fullmatch(rf"   1  2026-05-09 07:35 UTC  good +{re.escape(rating().question)}", second)
    code, out, _ = said(capsys, "feedback", "list", "--json")
    rows = json.loads(out)
    assert "\x1b" not in out and "\u202e" not in out
    assert [row.pop("id") for row in rows] == [2, 1]
    assert [Feedback.parse(row) for row in rows] == [hostile, rating()]


def test_ratings_are_the_users_to_delete(store: FeedbackStore, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(4):
        store.add(rating(answer_id=f"answer-{number:08}"))
    assert said(capsys, "feedback", "delete", "2", "3", "2") == (0, "deleted 2 ratings\n", "")
    assert sorted(each.id for each in store) == [1, 4]
    code, out, err = said(capsys, "feedback", "delete", "1", "99")
    assert (code, out) == (2, "") and "there is no rating 99; `torchnotes feedback list` shows" in err
    assert len(store.all()) == 2  # all or nothing
    code, _, err = said(capsys, "feedback", "clear")
    assert code == 2 and "deletes 2 ratings for good; type `torchnotes feedback clear --yes`" in err
    assert said(capsys, "feedback", "clear", "--yes") == (0, "deleted 2 ratings\n", "")
    assert store.all() == ()


@pytest.mark.parametrize(
    "arguments",
    [["list"], ["export"], ["delete", "1"], ["clear", "--yes"]],
    ids=lambda arguments: arguments[0],
)
def test_a_damaged_file_is_one_line(
    store: FeedbackStore, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    store.path.parent.mkdir(parents=True)
    store.path.write_bytes(b"no database" * 1000)
    code, out, err = said(capsys, "feedback", *arguments)
    assert (code, out) == (2, "") and len(err.splitlines()) == 1
    assert err.startswith(f"torchnotes: {store.path}: it is damaged, or no file of feedback (")
    assert store.path.read_bytes() == b"no database" * 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["delete"], "Missing argument 'ID...'", id="no-id"),
        pytest.param(["delete", "one"], "'one' is not a valid integer", id="no-number"),
        pytest.param(["lost"], "No such command 'lost'", id="no-command"),
    ],
)
@pytest.mark.usefixtures("empty_home")
def test_bad_arguments_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    code, out, err = said(capsys, "feedback", *arguments)
    assert (code, out) == (2, "") and message in err and len(err.splitlines()) == 1

"""`torchnotes eval` on a small index."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.ui.saying import said

pytestmark = pytest.mark.usefixtures("home")

RIGHT = {
    "id": "tcpstore",
    "lang": "en",
    "kind": "fact",
    "question": "What is the default backend of TCPStore in 2.4?",
    "evidence": [{"version": "2.4", "keys": [["libuv"], ["TCPStore"]]}],
    "facts": [["libuv"]],
}
MISSED = {
    "id": "flex",
    "lang": "zh",
    "kind": "版本",
    "question": "那是哪个版本加入的？",
    "history": ["FlexAttention 是什么？"],
    "evidence": [
        {"version": "2.5", "keys": [["FlexAttention"]]},
        {"version": "2.8", "keys": [["FlexAttention"], ["GPU", "显卡"]]},
    ],
    "facts": [["2.5"], ["从未\x1b[31m说过"]],
    "forbid": ["原型"],
}
DECLINED = {
    "id": "football",
    "lang": "en",
    "kind": "offtopic",
    "question": "Who won the football world cup in Brazil?",
}
ANSWERED = RIGHT | {"id": "none", "kind": "unanswerable", "evidence": [], "facts": []}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Two questions that are answered right, and two that are not."""
    return write(tmp_path / "mine.jsonl", [RIGHT, MISSED, DECLINED, ANSWERED])


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return path


def test_a_table_comes_before_the_misses(questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "eval", str(questions))
    assert code == 0
    table, summary, title, *misses = out.split("\n\n")
    rows = [line.split() for line in table.splitlines()]
    assert rows[0] == ["n", "right", "recall@5", "MRR", "facts", "cited", "language", "lead", "declined"]
    assert [row[:3] for row in rows[1:]] == [
        ["all", "4", "0.500"],
        ["zh", "1", "0.000"],
        ["en", "3", "0.667"],
        ["fact", "1", "1.000"],
        ["offtopic", "1", "1.000"],
        ["unanswerable", "1", "0.000"],
        ["版本", "1", "0.000"],
    ]
    assert rows[5][3:] == ["-"] * 6 + ["1.000"]
    assert summary.splitlines()[:2] == [
        "2 of 4 questions answered right",
        "declined: 0 of 2 that the notes answer, 1 of 2 that are to be declined",
    ]
    assert re.search(
        r"^time: median \d+ ms, 95% within \d+ ms\nlength: median \d+ characters$", summary, re.M
    )
    assert title == "Misses" and len(misses) == 2
    assert "4 of 4 questions" in err and "\x1b" not in out
    assert "no document in the index is about release 2.8, where 1 question has evidence; " in err
    assert "type `torchnotes sync --releases 2.8`" in err


def test_a_miss_tells_what_was_wanted_and_what_was_found(
    questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = said(capsys, "eval", str(questions))
    missed, answered = (part.splitlines() for part in out.split("\n\n")[3:])
    assert missed[:9] == [
        f"flex · zh · 版本 · {questions}:2",
        "  before     FlexAttention 是什么？",
        "  question   那是哪个版本加入的？",
        "  why        fact missing; forbidden text",
        '  evidence   2.5 with "FlexAttention": retrieved at 1, cited',
        '  evidence   2.8 with "FlexAttention" + ("GPU" | "显卡"): not retrieved, not cited',
        '  fact       "2.5": said',
        '  fact       "从未[31m说过": missing',
        '  forbidden  "原型": said',
    ]
    assert missed[9] == "  retrieved  1. PyTorch 2.5 · [原型] FlexAttention"
    assert all(re.match(r" {13}\d\. PyTorch", line) for line in missed[10:]) and len(missed) <= 14
    assert answered[:3] == [
        f"none · en · unanswerable · {questions}:4",
        "  question   What is the default backend of TCPStore in 2.4?",
        "  why        wrongly answered",
    ]
    assert answered[3] == "  retrieved  1. PyTorch 2.4 · [Beta] TCPStore uses libuv"


def test_misses_can_be_left_out(questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "eval", "--no-misses", str(questions))
    assert out.count("\n\n") == 1 and "flex" not in out


def test_where_nothing_is_missed_nothing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "eval", str(write(tmp_path / "a", [DECLINED])))
    assert code == 0
    assert "Misses" not in out and "length" not in out
    assert "declined: 1 of 1 that are to be declined\n" in out


def test_json_has_every_question(questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "eval", "--json", str(questions))
    told = json.loads(out)
    assert code == 0
    assert (told["total"]["count"], told["total"]["right_count"], told["total"]["right"]) == (4, 2, 0.5)
    assert told["by_language"]["zh"]["count"] == 1 and told["by_kind"]["offtopic"]["recall"] is None
    assert told["seconds"]["median"] > 0 and told["characters"]["median"] > 0
    assert [(row["id"], row["right"]) for row in told["rows"]] == [
        ("tcpstore", True),
        ("flex", False),
        ("football", True),
        ("none", False),
    ]
    assert told["rows"][1]["recall"] == 0.5 and told["rows"][1]["facts"] == 0.5
    flex, none = told["misses"]
    assert flex["faults"] == ["fact missing", "forbidden text"] and none["faults"] == ["wrongly answered"]
    assert flex["place"] == f"{questions}:2" and flex["history"] == MISSED["history"]
    assert flex["evidence"][1] == {
        "version": "2.8",
        "keys": [["FlexAttention"], ["GPU", "显卡"]],
        "rank": None,
        "cited": False,
    }
    assert flex["missing_facts"] == [["从未\x1b[31m说过"]] and flex["forbidden"] == ["原型"]
    assert flex["answer"] and flex["retrieved"][0]["release"] == "2.5"
    assert "misses" not in json.loads(said(capsys, "eval", "--json", "--no-misses", str(questions))[1])


@pytest.mark.parametrize(
    ("least", "code"), [("0", 0), ("0.5", 0), ("0.51", 1), ("1", 1)], ids=["none", "met", "short", "all"]
)
def test_a_share_can_be_asked_for(
    questions: Path, capsys: pytest.CaptureFixture[str], least: str, code: int
) -> None:
    ended, out, err = said(capsys, "eval", "--no-misses", "--min-right", least, str(questions))
    assert ended == code and "2 of 4 questions answered right" in out
    short = f"2 of 4 questions answered right; --min-right {least} asks for {3 if least == '0.51' else 4}\n"
    assert err.endswith(short) is bool(code)


def test_several_files_are_one_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(write(tmp_path / name, [row])) for name, row in (("a", RIGHT), ("b", DECLINED))]
    assert said(capsys, "eval", *files)[1].splitlines()[1].split()[:3] == ["all", "2", "1.000"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        pytest.param([RIGHT, RIGHT], 'mine.jsonl:2: the id "tcpstore" is taken at ', id="twice"),
        pytest.param(
            [RIGHT | {"lang": "fr"}], 'mine.jsonl:1: "lang" holds "fr"; give "zh" or "en"', id="value"
        ),
        pytest.param([], "mine.jsonl: it holds no question; ", id="empty"),
        pytest.param(
            [RIGHT | {"evidence": [{"version": "2.44", "keys": [["x"]]}]}],
            "mine.jsonl:1: release 2.44 is unknown; there are 1.0, ",
            id="release",
        ),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[dict[str, Any]], message: str
) -> None:
    code, out, err = said(capsys, "eval", str(write(tmp_path / "mine.jsonl", rows)))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1 and err.startswith("torchnotes: ") and message in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["nowhere.jsonl"], "nowhere.jsonl: there is no such file", id="missing"),
        pytest.param(["."], ".: this is a folder; give files of questions", id="folder"),
        pytest.param([], "Missing argument 'FILE...'", id="none"),
        pytest.param(["x", "--min-right", "80"], "80.0 is not in the range 0<=x<=1", id="share"),
        pytest.param(["x", "--min-right", "nan"], "nan is no share; give a number from 0 to 1", id="nan"),
    ],
)
def test_bad_arguments_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    code, out, err = said(capsys, "eval", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1 and message in err


def test_the_line_that_the_help_shows_is_a_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = said(capsys, "eval", "--help")
    shown = re.search(r"^ *(\{\"id\".*?\]\})$", out, re.M | re.S)
    assert shown
    row = json.loads(shown[1].replace("\n", " "))
    assert said(capsys, "eval", str(write(tmp_path / "mine.jsonl", [row])))[0] == 0

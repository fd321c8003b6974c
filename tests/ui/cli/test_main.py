from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import assistant.assistant
from tests.ui.saying import said
from ui.cli.main import main

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("question", "language", "quoted"),
    [
        pytest.param("What is the default backend of TCPStore in 2.4?", "en", "libuv", id="en"),
        pytest.param("FlexAttention 是哪个版本加入的？", "zh", "FlexAttention", id="zh"),
    ],
)
@pytest.mark.usefixtures("home")
def test_an_answer_has_its_sources_under_it(
    question: str, language: str, quoted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = said(capsys, "ask", question)
    assert code == 0
    answer, _, listed = out.partition("Sources\n" if language == "en" else "来源\n")
    assert "[1]" in answer and quoted in answer
    assert re.search(r"^\[1\].* PyTorch 2\.\d · .* · https://example\.org/", listed, re.M)
    assert re.search(rf"^    .*{quoted}", listed, re.M)
    assert "\x1b" not in out


@pytest.mark.usefixtures("home")
def test_json_is_the_whole_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "ask", "--json", "FlexAttention 是哪个版本加入的？")
    answer = json.loads(out)
    assert code == 0
    assert answer["abstained"] is False and answer["language"] == "zh"
    assert "加入" in out  # not escaped
    assert [c["number"] for c in answer["citations"]] == list(range(1, len(answer["citations"]) + 1))


@pytest.mark.usefixtures("home")
def test_declining_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "ask", "--json", "Who won the football world cup in Brazil?")
    assert code == 0
    assert json.loads(out)["abstained"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["ask", " "], "the question is empty", id="empty"),
        pytest.param(
            ["ask", "x", "--release", "9.9"], "no document in the index is about release 9.9", id="unknown"
        ),
        pytest.param(
            ["ask", "x", "--release", "new"], "'new' is not a release; write it like 2.4", id="no-release"
        ),
        pytest.param(["ask", "x", "--top-k", "0"], "top_k is 0; it must be 1 or more", id="top-k"),
        pytest.param(["ask", "x", "--language", "fr"], "'fr' is not one of 'zh', 'en'", id="language"),
        pytest.param(["ask"], "Missing argument 'QUESTION'", id="no-question"),
        pytest.param(["asl"], "No such command 'asl'", id="no-command"),
        pytest.param(["remove", "nothing"], "no document 'nothing' is in the index", id="remove"),
        pytest.param(["add", "/nowhere"], "nothing was taken", id="add"),
    ],
)
@pytest.mark.usefixtures("home")
def test_bad_input_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("torchnotes: ") and message in last
    assert "Traceback" not in err


@pytest.mark.usefixtures("empty_home")
def test_without_an_index_the_way_to_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "ask", "What is new?")
    assert code == 2
    assert "type `torchnotes add PATH`" in err


@pytest.mark.usefixtures("home")
def test_what_breaks_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("one\ntwo")

    monkeypatch.setattr(assistant.assistant.Assistant, "ask", broken)
    code, out, err = said(capsys, "ask", "x")
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert "ZeroDivisionError: one two" in err and "TORCHNOTES_DEBUG=1" in err
    monkeypatch.setenv("TORCHNOTES_DEBUG", "1")
    with pytest.raises(ZeroDivisionError, match="one"):
        main(["ask", "x"])


def test_add_tells_what_became_of_each(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = tmp_path / "more"
    more.mkdir()
    text = '---\ntitle: More\nrelease: "2.6"\n---\n\n## New\n\nThe frobnicator is new in PyTorch 2.6.\n'
    (more / "a.md").write_text(text)
    (more / "copy.md").write_text(text)
    (more / "b.exe").write_text("x")
    code, out, err = said(capsys, "add", str(more))
    assert code == 0
    assert re.search(r"^new +\S+  PyTorch 2\.6 · en · \S+ · More$", out, re.M)
    assert re.search(r"^left out +.*copy\.md: (?:its|it) \w+", out, re.M)
    assert re.search(r"^skipped +.*b\.exe: files of type \.exe are not read", out, re.M)
    assert re.search(r"The index holds 4 documents in \d+ chunks; \d+ texts embedded\.", out)
    assert "splitting" in err and "\r" not in err
    _, again, _ = said(capsys, "add", str(more / "a.md"))
    assert again.startswith("unchanged") and "; 0 texts embedded." in again


@pytest.mark.usefixtures("home")
def test_sources_are_listed_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = said(capsys, "sources", "--json")
    rows = {row["release"]: row for row in json.loads(out)}
    assert rows["2.5"]["language"] == "zh" and rows["2.5"]["chunks"] > 0
    _, listed, _ = said(capsys, "sources")
    assert all(row["id"] in listed for row in rows.values())
    code, out, _ = said(capsys, "remove", rows["2.3"]["id"])
    assert code == 0
    assert out.startswith(f"removed {rows['2.3']['id']}\nThe index holds 2 documents")
    code, _, err = said(capsys, "remove", rows["2.3"]["id"])
    assert code == 2
    assert "see `torchnotes sources`" in err


def test_verify_and_rebuild(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "verify")
    assert code == 0
    assert re.fullmatch(r"the index is whole: 3 documents, \d+ chunks\n", out)
    (damaged,) = (home / "index").rglob("chunks.jsonl")
    damaged.write_bytes(damaged.read_bytes()[:-5] + b"xxxxx")
    code, out, err = said(capsys, "verify")
    assert code == 1
    assert "its content is not what was written" in out and "torchnotes rebuild" in err
    code, out, _ = said(capsys, "rebuild")
    assert code == 0
    assert "The index holds 3 documents" in out
    assert main(["verify"]) == 0


@pytest.mark.usefixtures("empty_home")
def test_a_rebuild_of_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = said(capsys, "rebuild")
    assert code == 2
    assert "type `torchnotes add PATH`" in err


@pytest.mark.usefixtures("empty_home")
def test_verify_without_an_index_gives_one_advice(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "verify")
    assert code == 1
    assert "type `torchnotes add PATH`" in out and "rebuild" not in out + err


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys)
    assert code == 2  # as click has it
    assert (out + err).startswith("Usage: torchnotes ") and "\n  doctor " in out + err
    assert "torchnotes: Usage" not in err


def test_a_document_without_an_address_is_named_by_its_file(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.md"
    path.write_text("# PyTorch 2.6\n\n## New\n\nThe frobnicator is new in PyTorch 2.6.\n")
    assert said(capsys, "add", str(path))[0] == 0
    _, out, _ = said(capsys, "sources")
    assert re.search(r"^\S*2\.6\S* .* · \S*mine\.md · 1 chunk$", out, re.M)
    assert re.search(r"^\S*2\.4\S* .* · https://example\.org/notes/2\.4 · \d+ chunks$", out, re.M)
    _, out, _ = said(capsys, "ask", "What is the frobnicator in 2.6?")
    assert re.search(r"^\[1\].* · \S*mine\.md$", out, re.M)


@pytest.mark.usefixtures("home")
def test_a_private_address_is_skipped_with_the_option_that_allows_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = said(capsys, "add", "http://127.0.0.1:9/notes.md")
    assert code == 2
    assert "--allow-private" in err


@pytest.mark.parametrize("encoding", ["gbk", "utf-8"])
def test_the_encoding_is_the_users(home: Path, encoding: str) -> None:
    question = "FlexAttention 是哪个版本加入的？"
    done = subprocess.run(
        [sys.executable, "-m", "ui.cli.main", "ask", "--json", question],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": encoding, "TORCHNOTES_HOME": str(home)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode(encoding))["question"] == question


@pytest.mark.usefixtures("home")
def test_a_question_loads_nothing_heavy() -> None:
    script = (
        "import sys; from ui.cli.main import main; code = main(['ask', 'Which backend has TCPStore?']);"
        "heavy = {'torch', 'gradio', 'rich', 'fastapi', 'trafilatura', 'httpx',"
        " 'assistant.evaluation.gold', 'assistant.evaluation.scoring'} & set(sys.modules);"
        "sys.exit(f'loaded: {heavy}' if heavy or code else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_help_loads_no_index() -> None:
    script = (
        "import sys; from ui.cli.main import main; main(['--help']);"
        "sys.exit(str({'numpy', 'pydantic', 'jieba'} & set(sys.modules) or ''))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == ""
    assert "doctor" in done.stdout

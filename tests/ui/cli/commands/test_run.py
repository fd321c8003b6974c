"""`torchnotes run` and `torchnotes api`: asked for, run, looked up, and told in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.sandbox.isolation import NONE
from tests.ui.saying import said, type_in

pytestmark = pytest.mark.usefixtures("home")

ALLOWED = ("--allow-checks", "--allow-weaker")
OLD = """import torch
from torch.cuda.amp import autocast

with autocast():
    print("sum", float(torch.ones(3).sum()))
torch.library.custom_op
torch.compil(len)
"""


@pytest.fixture
def old(tmp_path: Path) -> str:
    path = tmp_path / "old.py"
    path.write_text(OLD, encoding="utf-8")
    return str(path)


def test_a_program_is_run_and_its_names_are_told(capsys: pytest.CaptureFixture[str], old: str) -> None:
    code, out, err = said(capsys, "run", old, *ALLOWED)
    lines = out.splitlines()
    assert code == 1 and "Traceback" not in out + err
    assert lines[0] == "sum 3.0"
    assert lines[1].startswith("old.py · exit code 1 · ") and "held by" in lines[1]
    assert "    old.py:7  torch.compil(len)" in lines
    assert "AttributeError: module 'torch' has no attribute 'compil'" in out
    assert "    old.py:4  with autocast():" in lines
    assert "torch.cuda.amp.autocast · lines 2, 4 · exists · deprecated" in lines
    assert "    warned in this run: `torch.cuda.amp.autocast(args...)` is deprecated." in out
    assert (
        "torch.compil · line 7 · does not exist" in lines
        and "hint, by resemblance only: torch.compile" in out
    )
    assert "    not mentioned in the notes of 2.3 … 2.5 that the index holds" in lines
    assert "A custom operator is registered with torch.library.custom_op" in out
    assert "https://example.org/notes/2.4" in out


@pytest.mark.long
def test_a_report_is_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, "import torch\nprint(torch.compile.__name__)")
    code, out, _ = said(capsys, "run", "-", *ALLOWED, "--json")
    told = json.loads(out)
    assert code == 0 and told["outcome"]["stdout"] == "compile\n" and told["broke"] is None
    (name,) = [each for each in told["names"] if each["name"].startswith("torch.compile")]
    assert name["exists"] and told["releases"] == ["2.3", "2.4", "2.5"] and told["file"] == "snippet.py"


def test_nothing_runs_where_nobody_can_be_asked(capsys: pytest.CaptureFixture[str], old: str) -> None:
    code, out, err = said(capsys, "run", old)
    assert code == 2 and out == "" and len(err.splitlines()) == 1
    assert "nobody can be asked here whether old.py may run" in err and "add --allow-checks" in err
    assert "torchnotes api FILE" in err


def test_the_program_is_shown_before_it_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, old: str
) -> None:
    type_in(monkeypatch, "n\n", terminal=True)
    code, out, err = said(capsys, "run", old, "-l", "zh")
    assert code == 0 and "with autocast():" in err and "运行这个程序吗？" in err
    assert "sum 3.0" not in out and "API" not in out


def test_weaker_isolation_is_said_and_asked_for_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, old: str
) -> None:
    monkeypatch.setattr("assistant.sandbox.probe.available", lambda **_: (NONE,))
    code, out, err = said(capsys, "run", old, "--allow-checks")
    assert (
        code == 2 and out == "" and "isolation is weaker here (none)" in err and "add --allow-weaker" in err
    )
    type_in(monkeypatch, "y\nn\n", terminal=True)
    code, out, err = said(capsys, "run", old)
    assert code == 0 and "it can reach the network" in err and "Run it all the same?" in err
    assert "sum 3.0" not in out


def test_weaker_isolation_runs_where_it_is_allowed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.sandbox.probe.available", lambda **_: (NONE,))
    type_in(monkeypatch, "def f(n): return f(n + 1)\nf(0)")
    code, out, _ = said(capsys, "run", "-", *ALLOWED, "-l", "zh")
    assert code == 1 and "snippet.py · 退出码 1 · " in out and "隔离方式：none" in out
    assert "    snippet.py:1  def f(n): return f(n + 1)  ×10" in out and "RecursionError" in out
    assert out.splitlines()[-1] == "其中没有找到 torch 的 API 名称。"


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        (
            "none.py",
            None,
            "cannot be read (No such file or directory); give a Python file, or - for standard",
        ),
        ("bad.py", b"import torch\nx = (", "this is no Python (line 2: "),
        ("data.py", b"\x00\x01", "this is no text in UTF-8"),
        ("empty.py", b"\n", "this is empty; give a Python file with code in it"),
    ],
    ids=["missing", "syntax", "binary", "empty"],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, content: bytes | None, line: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    for command in (("run", *ALLOWED), ("api",)):
        code, out, err = said(capsys, command[0], str(tmp_path / name), *command[1:])
        assert (code, out) == (2, "") and line in err and len(err.splitlines()) == 1


@pytest.mark.parametrize("given", ["foo", "numpy.array", "torch", "torch.a and b", "README"])
def test_what_is_no_name_is_one_line(capsys: pytest.CaptureFixture[str], given: str) -> None:
    code, _, err = said(capsys, "api", given)
    assert code == 2 and f"{given}: no name of torch, nor a file; give names such as torch.compile" in err


@pytest.mark.long
def test_names_of_an_answer_are_looked_up(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, "PyTorch 2.5：`torch.compile` 的区域编译 [1]。")
    code, out, _ = said(capsys, "api", "-", "torch.nn.Linearr()", "-l", "zh")
    assert code == 1 and out.startswith("共 2 个 API 名称，对照 torch 2.")
    assert "torch.compile · 第 1 行 · 存在" in out and "torch.nn.Linearr · 不存在" in out
    assert "2.5 · 见“[测试版] 编译缓存”一节 · “torch.compile 的区域编译可以缩短冷启动时间" in out
    type_in(monkeypatch, "nothing here")
    assert "standard input: no name of torch is in it" in said(capsys, "api", "-")[2]


def test_a_missing_module_of_the_user_is_hinted_at(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "helper.py").write_text("word = 'found'", encoding="utf-8")
    main = tmp_path / "main.py"
    main.write_text("import sys, helper\nprint(helper.word, sys.argv[1:])", encoding="utf-8")
    helper = str(tmp_path / "helper.py")
    code, out, _ = said(capsys, "run", str(main), *ALLOWED)
    assert code == 1 and f"helper lies beside your file; add --with {helper}" in out
    assert "No API name of torch in it was found." in out
    code, out, _ = said(capsys, "run", "--with", helper, *ALLOWED, str(main), "--", "--epochs", "3")
    assert code == 0 and out.startswith("found ['--epochs', '3']")


def test_an_option_that_is_none_is_told(capsys: pytest.CaptureFixture[str], old: str) -> None:
    code, _, err = said(capsys, "run", old, "--allow-check")
    assert code == 2 and "--allow-check" in err and len(err.splitlines()) == 1


def test_a_lookup_runs_nothing_of_the_user(capsys: pytest.CaptureFixture[str], old: str) -> None:
    code, out, _ = said(capsys, "api", old)
    assert code == 1 and "sum 3.0" not in out and "warned in this run" not in out
    assert "    marked in torch: `torch.cuda.amp.autocast(args...)` is deprecated." in out

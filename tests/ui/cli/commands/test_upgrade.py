"""`torchnotes upgrade`: what it prints, writes and exits with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.assistant.upgrade.projects import TRAIN, project
from ui.cli.main import main

ARGUMENTS = ("--from", "2.3", "--to", "2.8", "--notes-only")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["upgrade", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, {"train.py": TRAIN, "broken.py": "import torch (\n"})
    code, out, _ = run(capsys, str(tmp_path), *ARGUMENTS)
    assert code == 0
    rows = out.splitlines()
    assert rows[2] == "1 breaking · 1 with another default"
    assert "  4: breaks · torch.optim.lr_scheduler.StepLR(verbose=) · 2.7" in rows
    assert "      see it here: torchnotes check weights-only" in rows
    assert "Not searched: broken.py: not valid Python" in out


def test_nothing_found_says_what_was_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, {"a.py": "import torch\n"})
    code, out, _ = run(capsys, str(tmp_path), *ARGUMENTS, "--fail-on", "deprecated")
    assert code == 0
    assert "Nothing in it is affected" in out and "Looked at 1 Python file, 2 lines of Python" in out


@pytest.mark.parametrize(
    ("source", "level", "expected"),
    [
        (TRAIN, "breaking", 1),
        ("import torch\ntorch.cholesky(x)\n", "breaking", 0),
        ("import torch\ntorch.cholesky(x)\n", "deprecated", 1),
    ],
)
def test_exit_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, level: str, expected: int
) -> None:
    project(tmp_path, {"a.py": source})
    assert run(capsys, str(tmp_path), *ARGUMENTS, "--fail-on", level)[0] == expected


def test_json_markdown_and_sarif(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, {"train.py": TRAIN})
    assert len(json.loads(run(capsys, str(tmp_path), *ARGUMENTS, "--json")[1])["findings"]) == 2
    assert json.loads(run(capsys, str(tmp_path), *ARGUMENTS, "--sarif")[1])["version"] == "2.1.0"
    assert run(capsys, str(tmp_path), *ARGUMENTS, "--markdown")[1].startswith("# torch 2.3 → 2.8")


def test_fixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, {"train.py": TRAIN})
    _, out, _ = run(capsys, str(tmp_path), *ARGUMENTS, "--diff")
    assert "+scheduler = StepLR(optimizer, 30)\n" in out
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == TRAIN
    _, out, _ = run(capsys, str(tmp_path), *ARGUMENTS, "--write")
    assert out == "fixed 2 findings in 1 file; 0 left, see the report without --write\n"
    _, out, err = run(capsys, str(tmp_path), *ARGUMENTS, "--diff")
    assert out == "" and err.startswith("nothing can be fixed mechanically")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", *ARGUMENTS], "nowhere: no such file or folder; give the root of your code, such as ."),
        ([".", "--from", "2.8", "--to", "2.3"], "2.3 is not newer than 2.8"),
        ([".", "--json", "--sarif"], "exclude each other"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, *arguments)
    assert code == 2 and message in err and err.count("\n") == 1


def test_a_patch_is_exact_in_a_file_and_harmless_on_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "torch.load('x')  # \x1b]52;c;eA==\x07\x1b[31m \u202e\r"
    code = project(tmp_path / "code", {"a.py": f"import torch\n{line.rstrip()}\n"})
    patch = tmp_path / "a.patch"
    _, piped, _ = run(capsys, str(code), *ARGUMENTS, "--diff")
    assert f"-{line.rstrip()}\n" in piped
    assert run(capsys, str(code), *ARGUMENTS, "--diff", "--output", str(patch))[0] == 0
    assert patch.read_text(encoding="utf-8") == piped
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    _, shown, _ = run(capsys, str(code), *ARGUMENTS, "--diff")
    assert "torch.load('x', weights_only=True)" in shown and not set(shown) & set("\x1b\x07\u202e")


def test_code_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(tmp_path, {"a\x1b[31m.py": "import torch\ntorch.load('\x1b]0;x')\n"})
    assert "\x1b]" not in run(capsys, str(tmp_path), *ARGUMENTS)[1]

"""`torchnotes checks` and `torchnotes check`: listed, shown, asked for, run, and reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.checks.check import Check, Words
from assistant.checks.machine import describe
from assistant.checks.verdict import Verdict
from assistant.sandbox.isolation import BUBBLEWRAP, NONE
from tests.ui.saying import said, type_in

QUICK = "weights-only"


def test_checks_are_listed_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "checks", "--release", "2.6")
    assert code == 0 and "torch.load refuses a pickle that runs code" in out and "set-stance" in out
    assert "cuda-graphs" not in out  # of 1.10
    assert "拒绝会执行代码的 pickle" in said(capsys, "checks", "-l", "zh")[1]
    rows = json.loads(said(capsys, "checks", "--json")[1])
    assert len(rows) >= 45 and {"id", "release", "section", "claim"} <= rows[0].keys()


def test_a_program_is_shown_and_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "check", QUICK, "--show")
    assert code == 0 and "import kit" in out and "torch.load" in out and "confirmed" not in out + err


def test_each_program_is_shown_and_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.sandbox.probe.available", lambda **_: (BUBBLEWRAP,))
    type_in(monkeypatch, "n\ny\n", terminal=True)
    code, out, err = said(capsys, "check", QUICK, "cuda-graphs", "-l", "zh")
    assert code == 0 and err.count("运行这个程序吗？") == 2 and "torch.load" in err
    assert "cuda-graphs · PyTorch 1.10 的说法，未测试 · 不适用" in out
    assert QUICK not in out, "only what was agreed to"


def test_weaker_isolation_is_asked_for_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.sandbox.probe.available", lambda **_: (NONE,))
    type_in(monkeypatch, "y\nn\n", terminal=True)
    code, out, err = said(capsys, "check", QUICK)
    assert code == 0 and out == "" and "isolation is weaker here (none)" in err and "all the same?" in err
    type_in(monkeypatch, "", terminal=False)
    code, out, err = said(capsys, "check", QUICK, "--allow-checks")
    assert code == 2 and "add --allow-weaker, or --show them" in err


def test_nothing_runs_where_nobody_can_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "check", QUICK)
    assert code == 2 and out == "" and "add --allow-checks, or --show them" in err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((), "no check is named; give names that `torchnotes checks` lists, --release or --all"),
        (("weights",), "weights: no check is called so; near it: weights-only"),
        (("--release", "9.9"), "no check is of release 9.9; there are those of"),
        ((QUICK, "--all"), "names and --release or --all are given; give one of them"),
        ((QUICK, "--json", "--markdown"), "--json and --markdown exclude each other"),
    ],
)
def test_what_is_meant_must_be_clear(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], line: str
) -> None:
    code, _, err = said(capsys, "check", *arguments)
    assert code == 2 and line in err and "Traceback" not in err


def test_a_check_runs_and_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    code, out, err = said(
        capsys, "check", QUICK, "cuda-graphs", "--allow-checks", "--markdown", "-o", str(report)
    )
    assert code == 0 and "[1/2] weights-only" in err
    assert f"weights-only · claimed of PyTorch 2.6, tested with torch {describe().torch} · confirmed" in out
    assert "rule: " in out and "isolation: " in out
    assert "cuda-graphs · claimed of PyTorch 1.10, not tested" in out and "isolation: no program ran" in out
    text = report.read_text(encoding="utf-8")
    assert text.startswith(f"# Claims of the notes, checked on this machine with torch {describe().torch}\n")
    assert "| isolation |" in text and "| `weights-only` | 2.6 |" in text and "machine: " in text


def test_verdicts_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "check", QUICK, "--allow-checks", "--json")
    (verdict,) = json.loads(out)
    assert code == 0 and verdict["result"] == "confirmed" and verdict["machine"]["torch"].startswith("2.")


@pytest.mark.parametrize("form", ["--json", "--markdown", ""])
def test_what_finished_before_an_interrupt_is_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: str
) -> None:
    def interrupt(check: Check, **_: object) -> Verdict:
        if check.id != "cuda-graphs":
            raise KeyboardInterrupt
        reason: Words = {"en": "missing: a GPU", "zh": "缺少：GPU"}
        return Verdict(check, "not-applicable", (reason,), None, describe())

    monkeypatch.setattr("assistant.checks.trial.try_check", interrupt)
    report = tmp_path / "report"
    options = (form, "--output", str(report)) if form else ()
    code, out, err = said(capsys, "check", "cuda-graphs", QUICK, "set-stance", "--allow-checks", *options)
    assert code == 130 and "Traceback" not in err
    assert err.endswith("interrupted: 1 of 3 checks finished\n") and "cuda-graphs · claimed" in out
    if form == "--json":
        assert [verdict["check"] for verdict in json.loads(report.read_text("utf-8"))] == ["cuda-graphs"]
    elif form:
        text = report.read_text("utf-8")
        assert "\n\ninterrupted: 1 of 3 checks finished\n\n" in text and "| `cuda-graphs` |" in text
    else:
        assert "1 not applicable" in out


def test_another_torch_is_installed_only_if_somebody_agrees(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TORCHNOTES_HOME", str(tmp_path))
    code, _, err = said(capsys, "check", QUICK, "--against", "2.8")
    assert code == 2 and "about 200 MB from" in err and "--allow-install" in err
    type_in(monkeypatch, "n\n", terminal=True)
    code, _, err = said(capsys, "check", QUICK, "--against", "2.8", "-l", "zh")
    assert code == 2 and "安装吗？" in err and not (tmp_path / "torch").exists()


def test_the_torch_that_is_here_is_no_other_one(capsys: pytest.CaptureFixture[str]) -> None:
    here = describe().torch.partition("+")[0]
    for release in (here, here.rpartition(".")[0]):
        code, _, err = said(capsys, "check", QUICK, "--against", release)
        assert code == 2 and f"torch {here} is the one here" in err

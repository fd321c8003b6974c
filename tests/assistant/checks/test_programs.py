"""The programs' kit, and five programs that really run; all of them do in tests/slow."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from assistant.checks.machine import describe
from assistant.checks.measurement import Measurements, read
from assistant.checks.registry import PROGRAMS, find_check
from assistant.checks.trial import try_check

KIT = """
import kit
import torch

kit.fact("threads", torch.get_num_threads())
kit.same("tensors", torch.ones(2), torch.tensor([1.0, 1.5]), 0.6)
kit.same("lists", [torch.ones(2), torch.zeros(1)], [torch.ones(2), torch.ones(1)], 0.5)
kit.same("shapes", torch.ones(2), torch.ones(3))
kit.same("none", torch.tensor(float("nan")), torch.ones(()))
kit.fact("api", kit.api("torch.nn.functional.relu")(torch.ones(1)).item())
kit.fact("refuses", kit.refuses(lambda: torch.ones(2) @ torch.ones(3), RuntimeError))
kit.fact("child", kit.child("import os, sys; sys.stdout.write(os.environ['NAME'])", NAME="value"))
x = torch.ones(200, 200)
kit.interleaved("slow over fast", lambda: [x @ x for _ in range(8)], lambda: x @ x, repeats=3)
"""


def run(code: str, folder: Path) -> tuple[Measurements, int]:
    """What a program beside the kit says, and its exit code."""
    (folder / "kit.py").write_text((PROGRAMS / "kit.py").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "program.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "program.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return read(done.stdout), done.returncode


def test_the_kit_compares_times_and_tells(tmp_path: Path) -> None:
    told, code = run(KIT, tmp_path)
    assert code == 0 and not told.failed
    assert told.facts == {"threads": 1, "api": 1.0, "refuses": True, "child": "value"}
    assert [comparison.holds for comparison in told.comparisons] == [True, False, False, False]
    ratio = told.ratios["slow over fast"]
    assert len(ratio.values) == 3 and ratio.threads == 1
    assert ratio.values[0] == pytest.approx(ratio.baseline_seconds[0] / ratio.candidate_seconds[0])
    assert ratio.median > 1


def test_what_is_missing_ends_a_program_in_peace(tmp_path: Path) -> None:
    told, code = run('import kit\nkit.api("torch.no_such.thing")\nkit.fact("not", "reached")\n', tmp_path)
    assert code == 0 and told.missing[0] == "torch.no_such.thing" and not told.facts


def test_an_error_is_told_in_one_line(tmp_path: Path) -> None:
    told, code = run("import kit\nkit.fact('a', 1)\nraise ValueError('first\\nsecond')\n", tmp_path)
    assert code == 1 and told.failed == "ValueError: first" and told.facts == {"a": 1}


@pytest.mark.parametrize(
    "id_",
    [
        "weights-only",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("default-device", "sdpa-backends", "set-stance", "tcpstore-libuv")
        ),
    ],
)
def test_a_quick_check_is_confirmed_here(id_: str) -> None:
    lines: list[str] = []
    verdict = try_check(find_check(id_), machine=describe(), on_line=lines.append)
    assert verdict.result == "confirmed", verdict.reasons
    assert lines and verdict.seconds > 0 and verdict.isolation


def test_a_check_that_is_cancelled_has_failed() -> None:
    cancelled = threading.Event()
    cancelled.set()
    verdict = try_check(find_check("sdpa-backends"), machine=describe(), cancelled=cancelled)
    assert verdict.result == "failed" and verdict.reasons[0]["en"]

"""Verdicts on two releases of torch, and the environment of the other one."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.checks.check import Words
from assistant.checks.machine import describe
from assistant.checks.measurement import Measurements
from assistant.checks.registry import find_check
from assistant.checks.torch_environment import CPU_INDEX, TorchEnvironment
from assistant.checks.two_sides import compare, try_on_both
from assistant.checks.verdict import Result, Verdict
from ingest.errors import TorchnotesError
from tests.assistant.checks.test_verdict import MACHINE
from tests.rows import each_row
from ui.shared.check_text import told

CHECK = find_check("torch-cat-errors")  # a claim of 2.9
NOTHING = Measurements({}, (), {})
REASON: Words = {"en": "error for an empty list: RuntimeError, not = ValueError", "zh": "不是 ValueError"}


def verdict(torch: str, result: Result, told: Measurements | None = NOTHING) -> Verdict:
    """A verdict with a release of torch."""
    return Verdict(CHECK, result, (REASON,), told, replace(MACHINE, torch=torch))


@each_row(
    ("old", "new", "says"),
    [
        (verdict("2.8.0", "not-confirmed"), verdict("2.13.0", "confirmed"), "the claim lies between them"),
        (verdict("2.8.0", "confirmed"), verdict("2.13.0", "confirmed"), "no change between them"),
        (
            verdict("2.8.0", "confirmed"),
            verdict("2.13.0", "inconclusive"),
            "both sides were seen: confirmed with",
        ),
        (verdict("2.9.1", "confirmed"), verdict("2.13.0", "confirmed"), "on the same side of 2.9"),
        (
            verdict("2.8.0", "failed"),
            verdict("2.13.0", "confirmed"),
            "only one side was seen; with torch 2.8.0",
        ),
        (verdict("2.8.0", "not-applicable", None), verdict("2.13.0", "confirmed"), "only one side was seen"),
        (
            verdict("2.8.0", "not-applicable", replace(NOTHING, missing=("torch.cat", "has none"))),
            verdict("2.13.0", "confirmed"),
            "the claim lies between them",
        ),
    ],
)
def test_what_two_releases_say_of_a_claim(old: Verdict, new: Verdict, says: str) -> None:
    sides = compare(CHECK, old, new)
    words = sides.words
    assert says in words["en"] and words["zh"] != words["en"]
    whole = replace(new, other=old, sides=sides)
    shown = told(whole, "en")
    assert words["en"] in shown and "one side was seen, torch" not in shown
    assert whole.to_dict()["other"]["torch"] == old.torch
    assert ("cannot be seen with one torch" in shown) != sides.both


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> TorchEnvironment:
    """An environment whose torch, of a few lines, stands in for release 2.8."""
    import venv

    environment = TorchEnvironment.of("2.8", tmp_path_factory.mktemp("home"))
    venv.EnvBuilder(symlinks=True).create(environment.folder)
    (packages,) = environment.folder.glob("lib/python*/site-packages")
    (packages / "torch.py").write_text(TORCH, encoding="utf-8")
    (environment.folder / "torch-version").write_text("2.8.0", encoding="utf-8")
    return environment


TORCH = """
__version__ = "2.8.0"
int32 = None
class version: cuda = hip = None
class cuda: is_available = staticmethod(lambda: False)
class backends: cpu = mps = None
def set_num_threads(count): pass
def manual_seed(seed): pass
def ones(*size): return size
def empty(*size, dtype): return size
def cat(tensors, dim=0, out=None): raise RuntimeError("whatever is wrong")
"""


@pytest.mark.long
def test_a_program_runs_with_the_torch_of_another_environment(older: TorchEnvironment) -> None:
    assert older.version == "2.8.0"
    found = try_on_both(CHECK, older)
    assert found.torch == describe().torch and found.result == "confirmed"
    assert found.other and found.other.machine.torch == "2.8.0" and found.other.result == "not-confirmed"
    assert found.sides and "the claim lies between them" in found.sides.words["en"]
    assert found.other.isolation == found.isolation


@pytest.mark.parametrize("release", ["2", "2.x", "2.8;rm", "../2.8", ""])
def test_what_is_no_release_is_refused(release: str, tmp_path: Path) -> None:
    with pytest.raises(TorchnotesError, match="is no release of torch; give one such as"):
        TorchEnvironment.of(release, tmp_path)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["ERROR: no version of torch==2.1.* (from versions: 2.6.0, 2.8.0)"], "there are 2.6.0, 2.8.0"),
        (
            ["WARNING: NameResolutionError", "ERROR: none (from versions: none)"],
            "not reached; check the network",
        ),
        (["ERROR: Could not install: [Errno 28] No space left on device"], "No space left on device"),
        ([], "pip says nothing"),
    ],
)
def test_why_pip_failed_is_one_line(lines: list[str], says: str, tmp_path: Path) -> None:
    assert says in TorchEnvironment.of("2.1", tmp_path)._reason(lines)


@pytest.mark.long
def test_an_installation_without_network_is_told_and_can_be_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_RETRIES", "0")
    environment = TorchEnvironment.of("2.8", tmp_path, "http://127.0.0.1:9/simple")
    lines: list[str] = []
    with pytest.raises(TorchnotesError, match=r"torch 2\.8 is not installed"):
        environment.install(lines.append)
    assert lines and environment.python.exists() and not environment.version


def test_the_builds_without_cuda_are_taken(tmp_path: Path) -> None:
    index = TorchEnvironment.of("2.8", tmp_path).index
    assert index == (CPU_INDEX if sys.platform == "linux" else "")


@pytest.mark.long
def test_cancelling_ends_both_sides(older: TorchEnvironment) -> None:
    cancelled = threading.Event()
    cancelled.set()
    found = try_on_both(CHECK, older, cancelled=cancelled)
    assert found.result == "failed" and found.sides and not found.sides.both

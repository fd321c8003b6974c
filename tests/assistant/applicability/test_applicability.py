"""Applicability: results and reasons, and how often they are right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.applicability.applicability import Result, applies
from assistant.applicability.reading import conditions
from benchmarks.applies import FOLDER, SETS, machines, marked, precision, recall
from ingest.release import Release

KNOWN = machines()


@pytest.mark.parametrize(
    ("sentence", "machine", "result", "reason"),
    [
        pytest.param(
            "Needs compute capability 8.9 or higher.",
            "windows-rtx3060",
            "not-here",
            "needs compute capability 8.9 or newer; the GPU here is NVIDIA GeForce RTX 3060 (sm_86, Ampere)",
            id="capability",
        ),
        pytest.param(
            "Up to 1.6x faster on A100.",
            "h100-linux",
            "measured-elsewhere",
            "measured on A100; the GPU here is NVIDIA H100 80GB HBM3 (sm_90, Hopper)",
            id="measured",
        ),
        pytest.param(
            "macOS x86 is deprecated.",
            "mac-x86",
            "applies",
            "an end or a limit for macOS; this is macOS 13",
            id="ended",
        ),
        pytest.param(
            "Since PyTorch 2.6 it is on by default.",
            "rtx2080-torch2.3",
            "not-here",
            "holds from PyTorch 2.6 on; torch here is 2.3.1+cu121",
            id="older-torch",
        ),
        pytest.param(
            "On Arm CPUs with SVE it is faster.",
            "mac-m2",
            "unknown",
            "about SVE; torch picks DEFAULT kernels here",
            id="unknown",
        ),
    ],
)
def test_reasons(sentence: str, machine: str, result: Result, reason: str) -> None:
    told = applies(conditions(sentence, None), KNOWN[machine])
    assert told and told.result == result and told.reasons[0]["en"] == reason
    assert told.reasons[0]["zh"] != reason


def test_a_new_torch_alone_is_no_reason_to_say_that_something_applies() -> None:
    assert applies(conditions("It is faster.", Release(2, 4)), KNOWN["h100-linux"]) is None


def test_without_torch_nothing_is_said_of_its_release() -> None:
    bare = replace(KNOWN["x86-avx2"], torch="")
    assert applies(conditions("It is faster.", Release(2, 4)), bare) is None
    told = applies(conditions("It works on Linux.", Release(2, 4)), bare)
    assert told and told.result == "unknown"


@pytest.mark.parametrize("name", ["", *SETS])
def test_marks_are_right(name: str) -> None:
    found = list(marked(FOLDER / f"applies{'_' if name else ''}{name}.jsonl"))
    assert precision(found) >= 0.97
    assert recall(found) >= 0.75

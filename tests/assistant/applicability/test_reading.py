"""Conditions: what a sentence demands, and the many that demand nothing."""

from __future__ import annotations

import pytest

from assistant.applicability.reading import conditions
from ingest.release import Release
from tests.rows import each_row


def read(sentence: str, release: Release | None = None) -> list[str]:
    """Conditions as "side: names"."""
    return [f"{c.side}: {'|'.join(p.name for p in c.places)}" for c in conditions(sentence, release)]


@each_row(
    ("sentence", "wanted"),
    [
        pytest.param("An NVIDIA GPU is required.", ["needed: NVIDIA GPU"], id="needed"),
        pytest.param("该功能支持 Linux 和 Windows。", ["about: Linux|Windows"], id="one-is-enough"),
        pytest.param("It works on both CPU and CUDA.", ["about: NVIDIA GPU|CPU"], id="cpu-or-cuda"),
        pytest.param(
            "The CUDA 12.8 builds no longer support Maxwell and Volta GPUs.",
            ["ended: CUDA 12.8", "ended: Maxwell|Volta"],
            id="both-hold",
        ),
        pytest.param("在 H100 上最高提速 2.1 倍。", ["measured: H100"], id="measured"),
        pytest.param("On MPS, sdpa no longer crashes.", ["about: Apple GPU (MPS)"], id="a-fix-ends-nothing"),
        pytest.param(
            "- On MPS, `mm`, `sum` and `prod` are faster.", ["about: Apple GPU (MPS)"], id="leading"
        ),
        pytest.param("On ROCm, the CUDA->HIP flags are right.", ["about: AMD GPU (ROCm)"], id="translated"),
        pytest.param(
            "Linux wheels no longer support CentOS 7.", ["ended: CentOS 7"], id="a-distribution-is-linux"
        ),
        pytest.param("To use it on X86 CPU, compile `f` and pass CPU tensors.", ["about: x86"], id="to-use"),
        pytest.param("macOS x86 is deprecated.", ["ended: macOS", "ended: x86"], id="mac-with-intel"),
    ],
)
def test_conditions_are_read(sentence: str, wanted: list[str]) -> None:
    assert read(sentence) == wanted


@each_row(
    "sentence",
    [
        pytest.param("It works without CUDA.", id="without"),
        pytest.param("没有 CUDA GPU 时使用 CPU。", id="without-zh"),
        pytest.param("Unlike on Windows, no flag is needed on Linux.", id="comparison"),
        pytest.param("Before 2.2, Windows users could force it.", id="past"),
        pytest.param("The example falls back to CPU where no Intel GPU is present.", id="fallback"),
        pytest.param("Prototypes: Blackwell support, Context Parallel, and Intel GPUs.", id="list"),
        pytest.param("FlexAttention、Flight Recorder 和 Intel GPU 支持。", id="list-zh"),
        pytest.param("CI/CD replaces CUDA 12.4 by CUDA 12.8.", id="replaced"),
        pytest.param("Intel GPUs are faster, among others on Windows 11.", id="a-part"),
        pytest.param("CI runs on H100.", id="what-is-tested"),
        pytest.param("It helps when it fails on Windows, or when a peer is lost.", id="one-of-two-cases"),
        pytest.param("The kernel is new, and the old one does not run on Windows.", id="second-statement"),
        pytest.param("Documentation: <https://x.org/windows>, for Windows.", id="link"),
        pytest.param("Does it run on Windows?", id="question"),
        pytest.param("一般用户不受影响。", id="nothing"),
    ],
)
def test_a_doubt_is_no_condition(sentence: str) -> None:
    assert read(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        pytest.param("It is faster.", ["about: PyTorch 2.4"], id="of-its-release"),
        pytest.param("PyTorch 2.5 removes it.", ["about: PyTorch 2.5"], id="announced"),
        pytest.param("In PyTorch 2.3 it was slow.", [], id="of-an-older-release"),
        pytest.param("PyTorch 2.4 is the last release with it.", [], id="last"),
    ],
)
def test_a_statement_holds_from_a_release_on(sentence: str, wanted: list[str]) -> None:
    assert read(sentence, Release(2, 4)) == wanted

"""Places: which GPUs, processors, systems and versions a sentence names."""

from __future__ import annotations

import pytest

from assistant.applicability.places import named, readable
from tests.rows import each_row


@each_row(
    ("sentence", "names"),
    [
        pytest.param("needs SM80＋", ["compute capability 8.0 or newer"], id="full-width"),
        pytest.param("sm50 - sm70 GPUs", ["compute capability 5.0 to 7.0", "GPU"], id="range"),
        pytest.param("sm12x (GeForce Blackwell)", ["compute capability 12.x", "Blackwell"], id="family"),
        pytest.param("计算能力 8.9 及以上", ["compute capability 8.9 or newer"], id="chinese-capability"),
        pytest.param("older than Volta", ["older than Volta"], id="older"),
        pytest.param("Python 3.8 to 3.11", ["Python 3.8 to 3.11"], id="python-range"),
        pytest.param("Python 3.13 and 3.13t", ["Python 3.13", "Python 3.13t"], id="python-list"),
        pytest.param("Python ≥ 3.12", ["Python 3.12 or newer"], id="sign"),
        pytest.param("CUDA 11.7 和 CUDA 11.8", ["CUDA 11.7", "CUDA 11.8"], id="cuda-list"),
        pytest.param("the cu128 wheels", ["CUDA 12.8"], id="cu128"),
        pytest.param("macOS Sonoma 或更新的系统", ["macOS Sonoma or newer"], id="macos"),
        pytest.param("AVX-512_BF16 on x86", ["AVX512_BF16", "x86"], id="instructions"),
        pytest.param("the `xpu` device", ["Intel GPU"], id="device-in-code"),
        pytest.param("`torch.cuda.is_available()` and torch.mps.empty_cache()", [], id="code-is-no-place"),
        pytest.param("CUDA graphs and a sliding windows mask", [], id="other-words"),
        pytest.param("Amazon Linux 2", ["Amazon Linux 2"], id="distribution"),
    ],
)
def test_places_are_named(sentence: str, names: list[str]) -> None:
    assert [each.place.name for each in named(readable(sentence))] == names

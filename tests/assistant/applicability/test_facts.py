"""Facts: what a machine has, and what cannot be known of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.applicability.condition import Place
from assistant.applicability.facts import gpus, holds, mac_version
from assistant.applicability.here import here
from benchmarks.applies import machines

KNOWN = machines()
H100, ROCM, MAC, GRAVITON = (KNOWN[n] for n in ("h100-linux", "mi300x-rocm", "mac-m2", "graviton4"))
NOTHING = replace(H100, torch="", cuda="", gpu="", capability=(0, 0))


@pytest.mark.parametrize(
    ("place", "machine", "wanted"),
    [
        pytest.param(Place("gpu", "nvidia", ""), H100, True, id="nvidia"),
        pytest.param(Place("gpu", "nvidia", ""), ROCM, False, id="amd-is-called-cuda-too"),
        pytest.param(Place("capability", "", "", (9, 0), ()), ROCM, False, id="amd-has-other-numbers"),
        pytest.param(Place("gpu", "nvidia", ""), NOTHING, None, id="no-torch-to-tell"),
        pytest.param(Place("gpu", "mps", ""), NOTHING, False, id="no-mps-off-a-mac"),
        pytest.param(Place("gpu", "nvidia", ""), replace(MAC, torch=""), False, id="no-nvidia-on-a-mac"),
        pytest.param(Place("card", "H100", "", (9, 0), (9, 0)), H100, True, id="card"),
        pytest.param(
            Place("card", "H200", "", (9, 0), (9, 0)), H100, None, id="another-card-of-its-generation"
        ),
        pytest.param(Place("card", "MI300X", ""), ROCM, True, id="amd-card"),
        pytest.param(Place("cpu", "graviton", "Graviton3"), GRAVITON, None, id="graviton-is-not-told"),
        pytest.param(Place("cpu", "graviton", "Graviton3"), H100, False, id="no-graviton"),
        pytest.param(Place("cpu", "model-intel", "Ice Lake"), H100, None, id="generation-of-a-cpu"),
        pytest.param(Place("cpu", "model-intel", "Ice Lake"), ROCM, False, id="of-another-maker"),
        pytest.param(Place("cpu", "intel", "Intel CPU"), ROCM, False, id="amd-cpu"),
        pytest.param(Place("instruction", "sve", "SVE"), GRAVITON, True, id="sve"),
        pytest.param(Place("instruction", "sve", "SVE"), MAC, None, id="macs-do-not-tell"),
        pytest.param(Place("instruction", "avx2", "AVX2"), MAC, False, id="no-avx-on-arm"),
        pytest.param(Place("python", "", "", (3, 12), (3, 12)), H100, True, id="python"),
        pytest.param(
            Place("python", "", "", (3, 13), (3, 13)), KNOWN["python-3.13t"], None, id="3.13-is-not-3.13t"
        ),
        pytest.param(Place("cuda", "", "", (12, 6), (12, 6)), replace(H100, cuda="12.6.3"), True, id="patch"),
        pytest.param(Place("gcc", "", "", (9, 4), ()), MAC, None, id="clang"),
        pytest.param(Place("system", "macOS", "", (14,), ()), MAC, True, id="sonoma"),
        pytest.param(Place("system", "distribution", "CentOS 7"), H100, None, id="distribution"),
        pytest.param(Place("torch", "", "", (2, 10), ()), H100, False, id="2.10-is-newer-than-2.8"),
    ],
)
def test_facts(place: Place, machine: object, wanted: bool | None) -> None:
    assert holds(place, machine) is wanted  # type: ignore[arg-type]


def test_makers_of_gpus() -> None:
    assert [gpus(m) for m in (H100, ROCM, MAC, NOTHING)] == [{"nvidia"}, {"amd"}, {"mps"}, None]


@pytest.mark.parametrize(
    ("system", "wanted"), [("Darwin 22.6.0", (13,)), ("Darwin 25.1", (26,)), ("Linux 6.1", ())]
)
def test_macos_is_named_by_its_kernel(system: str, wanted: tuple[int, ...]) -> None:
    assert mac_version(replace(MAC, system=system)) == wanted


def test_what_is_here_is_told_in_both_languages() -> None:
    assert here(Place("gpu", "amd", ""), H100) == {
        "en": "the GPU here is NVIDIA H100 80GB HBM3 (sm_90, Hopper)",
        "zh": "此处的 GPU 是 NVIDIA H100 80GB HBM3 (sm_90, Hopper)",
    }
    assert here(Place("gpu", "amd", ""), NOTHING)["zh"] == "此处无法加载 torch，不得而知"

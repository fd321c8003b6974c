"""Facts: what a machine has, and what cannot be known of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.applicability.condition import MachineFeature
from assistant.applicability.facts import gpus, holds, mac_version
from assistant.applicability.here import here
from benchmarks.applies import machines
from tests.rows import each_row

KNOWN = machines()
H100, ROCM, MAC, GRAVITON = (KNOWN[n] for n in ("h100-linux", "mi300x-rocm", "mac-m2", "graviton4"))
NOTHING = replace(H100, torch="", cuda="", gpu="", capability=(0, 0))


@each_row(
    ("place", "machine", "wanted"),
    [
        pytest.param(MachineFeature("gpu", "nvidia", ""), H100, True, id="nvidia"),
        pytest.param(MachineFeature("gpu", "nvidia", ""), ROCM, False, id="amd-is-called-cuda-too"),
        pytest.param(
            MachineFeature("capability", "", "", (9, 0), ()), ROCM, False, id="amd-has-other-numbers"
        ),
        pytest.param(MachineFeature("gpu", "nvidia", ""), NOTHING, None, id="no-torch-to-tell"),
        pytest.param(MachineFeature("gpu", "mps", ""), NOTHING, False, id="no-mps-off-a-mac"),
        pytest.param(
            MachineFeature("gpu", "nvidia", ""), replace(MAC, torch=""), False, id="no-nvidia-on-a-mac"
        ),
        pytest.param(MachineFeature("card", "H100", "", (9, 0), (9, 0)), H100, True, id="card"),
        pytest.param(
            MachineFeature("card", "H200", "", (9, 0), (9, 0)),
            H100,
            None,
            id="another-card-of-its-generation",
        ),
        pytest.param(MachineFeature("card", "MI300X", ""), ROCM, True, id="amd-card"),
        pytest.param(
            MachineFeature("cpu", "graviton", "Graviton3"), GRAVITON, None, id="graviton-is-not-told"
        ),
        pytest.param(MachineFeature("cpu", "graviton", "Graviton3"), H100, False, id="no-graviton"),
        pytest.param(MachineFeature("cpu", "model-intel", "Ice Lake"), H100, None, id="generation-of-a-cpu"),
        pytest.param(MachineFeature("cpu", "model-intel", "Ice Lake"), ROCM, False, id="of-another-maker"),
        pytest.param(MachineFeature("cpu", "intel", "Intel CPU"), ROCM, False, id="amd-cpu"),
        pytest.param(MachineFeature("instruction", "sve", "SVE"), GRAVITON, True, id="sve"),
        pytest.param(MachineFeature("instruction", "sve", "SVE"), MAC, None, id="macs-do-not-tell"),
        pytest.param(MachineFeature("instruction", "avx2", "AVX2"), MAC, False, id="no-avx-on-arm"),
        pytest.param(MachineFeature("python", "", "", (3, 12), (3, 12)), H100, True, id="python"),
        pytest.param(
            MachineFeature("python", "", "", (3, 13), (3, 13)),
            KNOWN["python-3.13t"],
            None,
            id="3.13-is-not-3.13t",
        ),
        pytest.param(
            MachineFeature("cuda", "", "", (12, 6), (12, 6)), replace(H100, cuda="12.6.3"), True, id="patch"
        ),
        pytest.param(MachineFeature("gcc", "", "", (9, 4), ()), MAC, None, id="clang"),
        pytest.param(MachineFeature("system", "macOS", "", (14,), ()), MAC, True, id="sonoma"),
        pytest.param(MachineFeature("system", "distribution", "CentOS 7"), H100, None, id="distribution"),
        pytest.param(MachineFeature("torch", "", "", (2, 10), ()), H100, False, id="2.10-is-newer-than-2.8"),
    ],
)
def test_facts(place: MachineFeature, machine: object, wanted: bool | None) -> None:
    assert holds(place, machine) is wanted  # type: ignore[arg-type]


def test_makers_of_gpus() -> None:
    assert [gpus(m) for m in (H100, ROCM, MAC, NOTHING)] == [{"nvidia"}, {"amd"}, {"mps"}, None]


@pytest.mark.parametrize(
    ("system", "wanted"), [("Darwin 22.6.0", (13,)), ("Darwin 25.1", (26,)), ("Linux 6.1", ())]
)
def test_macos_is_named_by_its_kernel(system: str, wanted: tuple[int, ...]) -> None:
    assert mac_version(replace(MAC, system=system)) == wanted


def test_what_is_here_is_told_in_both_languages() -> None:
    assert here(MachineFeature("gpu", "amd", ""), H100) == {
        "en": "the GPU here is NVIDIA H100 80GB HBM3 (sm_90, Hopper)",
        "zh": "本机的 GPU 是 NVIDIA H100 80GB HBM3 (sm_90, Hopper)",
    }
    assert here(MachineFeature("gpu", "amd", ""), NOTHING)["zh"] == "本机无法加载 torch，无从判断"

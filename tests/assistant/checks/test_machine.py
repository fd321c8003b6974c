from __future__ import annotations

import json
import platform
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from assistant.checks import machine as module
from assistant.checks.check import Needs
from assistant.checks.machine import Machine, describe, lacking
from tests.rows import each_row

HERE = Machine(
    system="Linux 6.1",
    cpu="AMD EPYC",
    instructions=("avx2", "avx512f"),
    cores=2,
    memory=24 << 30,
    python="3.11.7",
    torch="2.13.0+cpu",
    cpu_capability="AVX512",
    compiler="g++ 12.2.0",
    headers=True,
)
GPU = replace(
    HERE, torch="2.13.0+cu130", cuda="13.0", gpu="NVIDIA A100", capability=(8, 0), modules=("triton",)
)


def test_this_machine_is_described_without_loading_torch_here() -> None:
    here = describe()
    assert here.torch.partition("+")[0] == version("torch").partition("+")[0]
    assert here.python == platform.python_version() and here.cores >= 1
    assert here.cpu and here.system.startswith(platform.system())
    assert json.loads(json.dumps(here.to_dict()))["torch"] == here.torch
    assert here.torch in str(here) and here.cpu in str(here)


@each_row(
    ("needs", "machine", "missing"),
    [
        pytest.param(Needs(), HERE, [], id="nothing"),
        pytest.param(Needs(), replace(HERE, torch=""), ["torch, which"], id="no-torch"),
        pytest.param(Needs(device="cuda"), HERE, ["NVIDIA GPU"], id="no-gpu"),
        pytest.param(Needs(device="cuda", capability=(8, 0)), GPU, [], id="gpu"),
        pytest.param(Needs(device="cuda", capability=(9, 0)), GPU, ["9.0, the GPU has 8.0"], id="older-gpu"),
        pytest.param(
            Needs(device="cuda"), replace(GPU, cuda="", rocm="6.2"), ["NVIDIA GPU"], id="amd-is-no-nvidia"
        ),
        pytest.param(Needs(instructions=("amx_bf16", "avx512f")), HERE, [], id="one-is-enough"),
        pytest.param(
            Needs(instructions=("amx_bf16", "amx_fp16")), HERE, ["a CPU with amx_bf16 /"], id="no-amx"
        ),
        pytest.param(Needs(compiler=True), HERE, [], id="compiler"),
        pytest.param(
            Needs(compiler=True), replace(HERE, compiler="", headers=False), ["C++", "Python.h"], id="none"
        ),
        pytest.param(Needs(torch="2.6"), HERE, [], id="2.13-is-newer-than-2.6"),
        pytest.param(
            Needs(torch="2.14"), HERE, ["torch 2.14 or newer; this is 2.13.0+cpu"], id="older-torch"
        ),
        pytest.param(Needs(python="3.11"), HERE, [], id="this-python"),
        pytest.param(Needs(python="3.1"), HERE, ["Python 3.1; this is 3.11.7"], id="3.1-is-not-3.11"),
        pytest.param(Needs(system="Linux"), replace(HERE, system="Darwin 25"), ["Linux"], id="system"),
        pytest.param(Needs(modules=("triton",)), HERE, ["the module triton"], id="module"),
    ],
)
def test_what_is_lacking(needs: Needs, machine: Machine, missing: list[str]) -> None:
    found = lacking(needs, machine)
    assert len(found) == len(missing)
    assert all(part in words["en"] and words["zh"] for part, words in zip(missing, found, strict=True))


@pytest.mark.parametrize("program", ["raise SystemExit(3)", "import sys; sys.stdout.write('no JSON')"])
def test_a_torch_that_crashes_is_none(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROBE", program)
    describe.cache_clear()
    assert describe().torch == ""
    monkeypatch.undo()
    describe.cache_clear()


def test_a_gpu_is_named() -> None:
    assert "NVIDIA A100 (sm_80)" in str(GPU) and "no GPU" in str(HERE)


TORCH = """
class version:
    cuda, hip = None, {hip!r}
class cuda:
    is_available = staticmethod(lambda: {gpu})
    get_device_name = staticmethod(lambda: "AMD Instinct MI300X")
    get_device_capability = staticmethod(lambda: (9, 4))
class _there:
    is_available = staticmethod(lambda: True)
    get_device_name = staticmethod(lambda: "Intel Arc B580")
class backends:
    mps = _there if {mps} else None
if {xpu}:
    xpu = _there
__version__ = "2.7.1"
"""


@pytest.mark.parametrize(
    ("torch", "found"),
    [
        pytest.param(
            TORCH.format(hip="6.2", gpu=True, mps=False, xpu=False),
            {"rocm": "6.2", "cuda": "", "gpu": "AMD Instinct MI300X", "devices": [], "error": ""},
            id="rocm",
        ),
        pytest.param(
            TORCH.format(hip=None, gpu=False, mps=True, xpu=False),
            {"torch": "2.7.1", "gpu": "", "devices": ["mps"]},
            id="mps",
        ),
        pytest.param(
            TORCH.format(hip=None, gpu=False, mps=False, xpu=True),
            {"gpu": "Intel Arc B580", "devices": ["xpu"]},
            id="xpu",
        ),
        pytest.param(
            "raise ImportError('libtorch.so is missing')",
            {"torch": "", "error": "ImportError: libtorch.so is missing"},
            id="not-loaded",
        ),
        pytest.param("import os; os._exit(3)", {"torch": "", "modules": []}, id="crashed"),
    ],
)
def test_what_other_builds_of_torch_tell(
    torch: str, found: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text(torch, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    told = module._torch()
    assert {key: told[key] for key in found} == found

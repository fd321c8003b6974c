"""Description of this machine, and what it lacks for a check."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from assistant.checks.check import Needs, Words

#: Run in a separate process: importing torch takes time and memory, and this process may be a server.
PROBE = """
import importlib.util, json, sys
found = {"torch": "", "cuda": "", "rocm": "", "gpu": "", "capability": [0, 0], "cpu_capability": ""}
try:
    import torch
except Exception as error:
    found["error"] = f"{type(error).__name__}: {error}"
else:
    found |= {"torch": torch.__version__, "cuda": torch.version.cuda or ""}
    found["rocm"] = getattr(torch.version, "hip", None) or ""
    backend = getattr(torch.backends, "cpu", None)
    found["cpu_capability"] = backend.get_cpu_capability() if backend else ""
    if torch.cuda.is_available():
        found["gpu"], found["capability"] = torch.cuda.get_device_name(), torch.cuda.get_device_capability()
    mps, xpu = getattr(torch.backends, "mps", None), getattr(torch, "xpu", None)
    seen = {"mps": mps and mps.is_available(), "xpu": xpu and xpu.is_available()}
    found["devices"] = [name for name, there in seen.items() if there]
    if seen["xpu"] and not found["gpu"]:
        found["gpu"] = torch.xpu.get_device_name()
found["modules"] = [name for name in ("triton", "torchao") if importlib.util.find_spec(name)]
json.dump(found, sys.stdout)
"""
#: Instruction sets relevant to torch, named as in /proc/cpuinfo.
INSTRUCTIONS = (
    "avx2 avx512f avx512_bf16 avx512_fp16 avx512_vnni avx_vnni amx_tile amx_bf16 amx_fp16 amx_int8"
    " asimd sve sve2 bf16 svebf16 i8mm"
).split()
_SECONDS = 120  # maximum for importing torch


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine with its torch.

    Attributes:
        system: "Linux", "Darwin" or "Windows", with its release.
        cpu: model name of the CPU.
        instructions: supported sets among `INSTRUCTIONS`; empty if unknown.
        cores: logical cores that this process may use.
        memory: bytes, 0 if unknown.
        python: version of Python.
        torch: version with its local part ("2.13.0+cpu"), "" if it cannot be loaded.
        cpu_capability: kernels that torch selects, such as "AVX512"; "" if unknown.
        cuda: CUDA version that torch is built with, "" if none.
        gpu: name of the first GPU, "" if none.
        capability: its compute capability; AMD GPUs have numbers of their own here.
        compiler: first line of the C++ compiler's version, "" if there is none.
        headers: whether Python's headers are installed, which compiled code needs.
        modules: the installed ones of triton and torchao.
        processor: architecture of the CPU: "x86_64", "AMD64", "arm64", "aarch64".
        free_threaded: whether this Python is a build without the global interpreter lock.
        rocm: HIP version that torch is built with, "" if none.
        devices: the ones of "mps" and "xpu" that torch can use.
        error: why torch cannot be loaded, "" if it can.
    """

    system: str
    cpu: str
    instructions: tuple[str, ...]
    cores: int
    memory: int
    python: str
    torch: str = ""
    cpu_capability: str = ""
    cuda: str = ""
    gpu: str = ""
    capability: tuple[int, int] = (0, 0)
    compiler: str = ""
    headers: bool = False
    modules: tuple[str, ...] = ()
    processor: str = ""
    free_threaded: bool = False
    rocm: str = ""
    devices: tuple[str, ...] = ()
    error: str = ""

    @property
    def has_nvidia(self) -> bool:
        """Whether torch can use an NVIDIA GPU; AMD GPUs are "cuda" devices, too."""
        return bool(self.gpu and self.cuda and not self.rocm)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return asdict(self)

    def __str__(self) -> str:
        memory = f"{self.memory / 2**30:.0f} GB" if self.memory else ""
        names = [name for name in self.instructions if name.startswith(("avx512", "amx", "sve"))]
        architecture = f" (sm_{self.capability[0]}{self.capability[1]})" if self.has_nvidia else ""
        gpu = f"{self.gpu}{architecture}" if self.gpu else "no GPU"
        cpu = f"{self.cpu}, {self.cores} cores"
        parts = [cpu, " ".join(names), memory, gpu, f"torch {self.torch}", f"Python {self.python}"]
        return ", ".join(part for part in [*parts, self.compiler or "no C++ compiler", self.system] if part)


@lru_cache(maxsize=4)
def describe(python: Path | None = None) -> Machine:
    """Return a description of this machine; cached, because importing torch takes seconds.

    Args:
        python: interpreter of another environment, whose torch is described; None: this one.
    """
    flags, model = _processor()
    found = _torch(python)
    major, minor = found["capability"]
    return Machine(
        system=f"{platform.system()} {platform.release()}",
        cpu=model,
        instructions=tuple(name for name in INSTRUCTIONS if name in flags),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory=_memory(),
        python=platform.python_version(),
        torch=found["torch"],
        cpu_capability=found["cpu_capability"],
        cuda=found["cuda"],
        gpu=found["gpu"],
        capability=(major, minor),
        compiler=_compiler(),
        headers=Path(sysconfig.get_path("include"), "Python.h").is_file(),
        modules=tuple(found["modules"]),
        processor=platform.machine(),
        free_threaded=bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        rocm=found["rocm"],
        devices=tuple(found["devices"]),
        error=found["error"],
    )


def lacking(needs: Needs, machine: Machine) -> tuple[Words, ...]:
    """Return the unmet requirements of a check.

    Args:
        needs: requirements.
        machine: the machine.

    Returns:
        One entry for each, in both languages; none if the check can run.
    """
    found: list[Words] = []

    def lacks(condition: bool, en: str, zh: str) -> None:
        if condition:
            found.append({"en": en, "zh": zh})

    lacks(not machine.torch, "torch, which cannot be loaded here", "torch（本机无法加载）")
    if needs.device == "cuda":
        lacks(
            not machine.has_nvidia, "an NVIDIA GPU with a CUDA build of torch", "NVIDIA GPU 与 CUDA 版 torch"
        )
        wanted, has = (".".join(map(str, pair)) for pair in (needs.capability, machine.capability))
        low = machine.has_nvidia and machine.capability < needs.capability
        lacks(low, f"compute capability {wanted}, the GPU has {has}", f"计算能力 {wanted}，此 GPU 为 {has}")
    names = " / ".join(needs.instructions)
    none = bool(needs.instructions) and not {*needs.instructions} & {*machine.instructions}
    lacks(none, f"a CPU with {names}", f"带 {names} 指令集的 CPU")
    lacks(needs.compiler and not machine.compiler, "a C++ compiler", "C++ 编译器")
    lacks(needs.compiler and not machine.headers, "Python's headers (Python.h)", "Python 头文件（Python.h）")
    old = bool(machine.torch) and version_numbers(machine.torch) < version_numbers(needs.torch)
    lacks(
        old,
        f"torch {needs.torch} or newer; this is {machine.torch}",
        f"torch {needs.torch} 或更新版本（本机为 {machine.torch}）",
    )
    other = bool(needs.python) and version_numbers(machine.python)[:2] != version_numbers(needs.python)
    lacks(
        other,
        f"Python {needs.python}; this is {machine.python}",
        f"Python {needs.python}（本机为 {machine.python}）",
    )
    lacks(not machine.system.startswith(needs.system), needs.system, needs.system)
    for module in needs.modules:
        lacks(module not in machine.modules, f"the module {module}", f"模块 {module}")
    return tuple(found)


def version_numbers(version: str) -> tuple[int, ...]:
    """Return the first three numbers of a version, without its local part.

    Args:
        version: version, such as "2.8.0+cpu".
    """
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3])


def _torch(python: Path | None = None) -> dict[str, Any]:
    words = dict.fromkeys(("torch", "cuda", "rocm", "gpu", "cpu_capability", "error"), "")
    nothing: dict[str, Any] = {**words, "capability": [0, 0], "modules": [], "devices": []}
    try:
        command = [str(python or sys.executable), "-c", PROBE]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=_SECONDS, check=True)
        found: dict[str, Any] = nothing | json.loads(done.stdout.strip().rpartition("\n")[2])
    except (subprocess.SubprocessError, json.JSONDecodeError) as error:
        return nothing | {"error": f"its process ended: {error}"}  # torch can crash the process
    return found


def _processor() -> tuple[frozenset[str], str]:
    """Return flags and model name of the CPU."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset(), platform.processor() or platform.machine()
    flags = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.M)
    model = re.search(r"^model name\s*:\s*(.+?)\s*$", text, re.M)
    return frozenset(flags[1].split() if flags else ()), model[1] if model else platform.machine()


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0


def _compiler() -> str:
    """Return the version line of the compiler that Inductor would use."""
    for name in (os.environ.get("CXX", ""), "g++", "c++", "clang++"):
        path = shutil.which(name) if name else None
        if path:
            done = subprocess.run([path, "--version"], capture_output=True, encoding="utf-8", check=False)
            if done.returncode == 0 and done.stdout:
                return done.stdout.splitlines()[0].strip()
    return ""

"""Short descriptions of a machine's features in both languages."""

from __future__ import annotations

from collections.abc import Callable

from assistant.applicability.condition import Fact, MachineFeature
from assistant.applicability.facts import gpus, mac_version, system
from assistant.applicability.hardware import architecture
from assistant.checks.check import Words
from assistant.checks.machine import Machine

_GPU_NAMES = {"amd": "AMD GPU", "xpu": "Intel GPU", "mps": "Apple GPU"}


def here(place: MachineFeature, machine: Machine) -> Words:
    """Describe what a machine has of the same type as a feature.

    Args:
        place: the feature.
        machine: the machine.
    """
    return _HERE[place.fact](place, machine)


_UNKNOWN: Words = {"en": "torch cannot be loaded here to tell", "zh": "本机无法加载 torch，无从判断"}


def _here_gpu(place: MachineFeature, machine: Machine) -> Words:
    found = gpus(machine)
    if found is None:
        return _UNKNOWN
    if not found:
        return {
            "en": f"torch {machine.torch} sees no GPU here",
            "zh": f"本机的 torch {machine.torch} 检测不到 GPU",
        }
    if machine.has_nvidia and any(machine.capability):
        major, minor = machine.capability
        name = architecture(machine.capability)
        told = f"{machine.gpu} (sm_{major}{minor}{f', {name}' if name else ''})"
    else:
        told = machine.gpu or " / ".join(_GPU_NAMES[each] for each in sorted(found))
    return {"en": f"the GPU here is {told}", "zh": f"本机的 GPU 是 {told}"}


def _here_cpu(place: MachineFeature, machine: Machine) -> Words:
    if place.value in ("x86", "arm", "any") or machine.cpu == machine.processor:
        told = machine.processor or machine.cpu
    else:
        told = f"{machine.cpu}{f' ({machine.processor})' if machine.processor not in machine.cpu else ''}"
    return {"en": f"the CPU here is {told}", "zh": f"本机的 CPU 是 {told}"}


def _here_instruction(place: MachineFeature, machine: Machine) -> Words:
    has = [name for name in machine.instructions if name in place.value.split()]
    if has:
        return {"en": f"the CPU here has {has[0]}", "zh": f"本机的 CPU 支持 {has[0]}"}
    if machine.instructions:
        return {
            "en": f"the CPU here ({machine.cpu}) has none of it",
            "zh": f"本机的 CPU（{machine.cpu}）不支持",
        }
    if machine.cpu_capability:
        return {
            "en": f"torch picks {machine.cpu_capability} kernels here",
            "zh": f"本机的 torch 选用 {machine.cpu_capability} 内核",
        }
    return {
        "en": f"this system does not tell (CPU {machine.processor})",
        "zh": f"本机系统不提供该信息（CPU {machine.processor}）",
    }


def _here_system(_: MachineFeature, machine: Machine) -> Words:
    version = mac_version(machine)
    told = f"macOS {version[0]}" if version else system(machine)
    return {"en": f"this is {told}", "zh": f"本机是 {told}"}


def _here_python(_: MachineFeature, machine: Machine) -> Words:
    free = machine.free_threaded
    return {
        "en": f"this is Python {machine.python}{', free-threaded' if free else ''}",
        "zh": f"本机是 Python {machine.python}{'（自由线程版）' if free else ''}",
    }


def _here_build(place: MachineFeature, machine: Machine) -> Words:
    if not machine.torch:
        return _UNKNOWN
    built = f"CUDA {machine.cuda}" if machine.cuda else f"ROCm {machine.rocm}" if machine.rocm else ""
    if not built:
        lacks = "ROCm" if place.fact == "rocm" else "CUDA"
        return {
            "en": f"torch {machine.torch} is built without {lacks}",
            "zh": f"本机的 torch {machine.torch} 构建时未启用 {lacks}",
        }
    return {"en": f"torch here is built with {built}", "zh": f"本机的 torch 以 {built} 构建"}


def _here_compiler(_: MachineFeature, machine: Machine) -> Words:
    if not machine.compiler:
        return {"en": "there is no C++ compiler here", "zh": "本机没有 C++ 编译器"}
    return {"en": f"the compiler here is {machine.compiler}", "zh": f"此处的编译器是 {machine.compiler}"}


def _here_torch(_: MachineFeature, machine: Machine) -> Words:
    if not machine.torch:
        return _UNKNOWN
    return {"en": f"torch here is {machine.torch}", "zh": f"本机的 torch 是 {machine.torch}"}


_HERE: dict[Fact, Callable[[MachineFeature, Machine], Words]] = {
    **dict.fromkeys(("gpu", "xpu-model", "card", "capability"), _here_gpu),
    "cpu": _here_cpu,
    "instruction": _here_instruction,
    "system": _here_system,
    **dict.fromkeys(("python", "free-threaded"), _here_python),
    **dict.fromkeys(("cuda", "rocm"), _here_build),
    **dict.fromkeys(("gcc", "compiler"), _here_compiler),
    "torch": _here_torch,
}

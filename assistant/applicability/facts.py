"""Tests of a machine's features."""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.applicability.condition import Fact, MachineFeature, Version
from assistant.checks.machine import Machine, version_numbers

_X86, _ARM = ("x86_64", "amd64", "i386", "i686", "x86"), ("aarch64", "arm64")


def holds(place: MachineFeature, machine: Machine) -> bool | None:
    """Return whether a machine has a feature, None if unknown.

    Args:
        place: the feature.
        machine: the machine.
    """
    return _TESTS[place.fact](place, machine)


def gpus(machine: Machine) -> frozenset[str] | None:
    """Return the vendors of the GPUs that torch can use, None if torch cannot be loaded.

    Args:
        machine: the machine.
    """
    if not machine.torch:
        return None
    found = set(machine.devices)
    if machine.gpu and machine.rocm:
        found.add("amd")
    elif machine.has_nvidia:
        found.add("nvidia")
    return frozenset(found)


def system(machine: Machine) -> str:
    """Return "Linux", "Windows" or "macOS".

    Args:
        machine: the machine.
    """
    name = machine.system.partition(" ")[0]
    return "macOS" if name == "Darwin" else name


def mac_version(machine: Machine) -> Version:
    """Return the version of macOS, derived from its kernel; () on other systems.

    Darwin 20 is macOS 11, and so on until Darwin 24; Darwin 25 is macOS 26.

    Args:
        machine: the machine.
    """
    match = re.match(r"Darwin (\d+)", machine.system)
    if match is None:
        return ()
    darwin = int(match[1])
    return (darwin - 9,) if 20 <= darwin <= 24 else (darwin + 1,) if darwin >= 25 else ()


def _gpu(place: MachineFeature, machine: Machine) -> bool | None:
    found = gpus(machine)
    if found is not None:
        if (
            place.value == "mps"
            and "mps" not in found
            and _processor(machine) == "x86"
            and system(machine) == "macOS"
        ):
            return None  # some of these Macs have a GPU that MPS can use
        return bool(found) if place.value == "any" else place.value in found
    of_macs = system(machine) == "macOS"
    impossible = place.value == "mps" if not of_macs else place.value in ("nvidia", "amd", "xpu")
    return False if impossible else None


def _xpu_model(_: MachineFeature, machine: Machine) -> bool | None:
    found = gpus(machine)
    return False if found is not None and "xpu" not in found else None


def _card(place: MachineFeature, machine: Machine) -> bool | None:
    found = gpus(machine)
    if found is None:
        return None
    if not place.low:  # an AMD card
        return "amd" in found and (True if place.value.casefold() in machine.gpu.casefold() else None)
    if "nvidia" not in found:
        return False
    if re.search(rf"(?<![A-Za-z\d]){re.escape(place.value)}(?![A-Za-z\d])", machine.gpu):
        return True
    return None if machine.capability in (place.low, (0, 0)) else False


def _capability(place: MachineFeature, machine: Machine) -> bool | None:
    found = gpus(machine)
    if found is None:
        return None
    if "nvidia" not in found:
        return False
    return _within(machine.capability, place) if any(machine.capability) else None


def _cpu(place: MachineFeature, machine: Machine) -> bool | None:
    kind = _processor(machine)
    if place.value == "any":
        return True
    if not kind:
        return None
    if place.value in ("x86", "arm"):
        return kind == place.value
    if place.value.startswith("model-"):  # generations of a vendor are not distinguished
        return False if _made_by(place.value.removeprefix("model-"), machine) is False else None
    if place.value == "apple":
        return kind == "arm" and system(machine) == "macOS"
    if place.value == "graviton":
        if kind != "arm" or system(machine) != "Linux":
            return False
        number = re.sub(r"\D", "", place.name)
        known = re.search(r"Graviton ?(\d?)", machine.cpu)
        return None if known is None or (number and not known[1]) else not number or number == known[1]
    return _made_by(place.value, machine)


def _made_by(maker: str, machine: Machine) -> bool | None:
    """Return whether the CPU is from "intel", "amd" or "arm"."""
    kind = _processor(machine)
    if maker == "arm" or kind != "x86":
        return maker == kind
    if system(machine) == "macOS":
        return maker == "intel"
    makers = {"intel": r"Intel\b|Xeon|Core\(TM\)", "amd": r"AMD\b|EPYC|Ryzen"}
    own = {name for name, form in makers.items() if re.search(form, machine.cpu)}
    return maker in own if own else None


def _instruction(place: MachineFeature, machine: Machine) -> bool | None:
    wanted = set(place.value.split())
    if machine.instructions:
        return bool(wanted & {*machine.instructions})
    kind = _processor(machine)
    for_x86 = any(name.startswith(("avx", "amx")) for name in wanted)
    if kind and for_x86 != (kind == "x86"):
        return False
    picked = machine.cpu_capability.upper()
    has = {"avx2"} if picked == "AVX2" else {"avx2", "avx512f"} if picked.startswith("AVX512") else set()
    return True if wanted & has else None


def _system(place: MachineFeature, machine: Machine) -> bool | None:
    own = system(machine)
    if not own:
        return None
    if place.value == "distribution":
        return None if own == "Linux" else False
    if own != place.value or not (place.low or place.high):
        return own == place.value
    version = mac_version(machine)
    return _within(version, place) if version else None


def _python(place: MachineFeature, machine: Machine) -> bool | None:
    if not machine.python:
        return None
    if place.value == "t" and not machine.free_threaded:
        return False
    same = _within(version_numbers(machine.python), place)
    # Support of 3.13 does not imply support of 3.13t.
    single = place.high and place.value != "t"
    return None if same and machine.free_threaded and single else same


def _built_with(version: str, place: MachineFeature, machine: Machine) -> bool | None:
    if not machine.torch:
        return None
    return bool(version) and _within(version_numbers(version), place)


def _gcc(place: MachineFeature, machine: Machine) -> bool | None:
    found = re.search(r"(?:g\+\+|GCC|gcc)(?!\w).*?(\d+(?:\.\d+)+)\s*$", machine.compiler)
    if found:
        return _within(version_numbers(found[1]), place)
    return None if machine.compiler else False


def _torch(place: MachineFeature, machine: Machine) -> bool | None:
    return _within(version_numbers(machine.torch)[:2], place) if machine.torch else None


def _within(version: Version, place: MachineFeature) -> bool:
    """Return whether a version is within the bounds; (12, 8) as the maximum includes 12.8.1."""
    low, high = place.low, place.high
    return version >= low and (not high or version[: len(high)] <= high)


def _processor(machine: Machine) -> str:
    """Return "x86", "arm", or "" for others."""
    name = machine.processor.casefold()
    return "x86" if name in _X86 else "arm" if name in _ARM else ""


_TESTS: dict[Fact, Callable[[MachineFeature, Machine], bool | None]] = {
    "gpu": _gpu,
    "xpu-model": _xpu_model,
    "card": _card,
    "capability": _capability,
    "cpu": _cpu,
    "instruction": _instruction,
    "system": _system,
    "python": _python,
    "free-threaded": lambda _, machine: machine.free_threaded,
    "cuda": lambda place, machine: _built_with(machine.cuda, place, machine),
    "rocm": lambda place, machine: _built_with(machine.rocm, place, machine),
    "gcc": _gcc,
    "compiler": lambda _, machine: bool(machine.compiler),
    "torch": _torch,
}

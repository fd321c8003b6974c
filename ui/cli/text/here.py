"""Formatting of a machine's description, and of which statements apply to it, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from ui.shared.console import one_line, printable

if TYPE_CHECKING:
    from assistant.applicability.applicability import Result
    from assistant.applicability.marks import Mark
    from assistant.checks.machine import Machine
    from ingest.document import Language

_HEAD: dict[Language, str] = {"zh": "是否适用于本机", "en": "Does it apply here?"}
_NOTHING: dict[Language, str] = {
    "zh": "所引的句子都没有写明对机器的要求",
    "en": "none of the sentences cited names a condition that a machine can tell",
}
_NO_TORCH: dict[Language, str] = {
    "zh": "本机无法加载 torch，因此不知道它的版本和 GPU；运行 `torchnotes doctor` 查看解决办法",
    "en": "torch cannot be loaded here, so its release and its GPU are not known; type `torchnotes doctor`",
}
_COLOURS: dict[Result, str] = {"applies": "green", "not-here": "yellow"}
_LONGEST = 160  # characters of a statement


def applies_text(marks: Sequence[Mark], machine: Machine, language: Language) -> str:
    """Format the statements that have conditions, each with result and reasons.

    Args:
        marks: marks of an answer.
        machine: this machine.
        language: language of the text.
    """
    from assistant.applicability.applicability import LABELS

    lines = [click.style(_HEAD[language], bold=True), "", f"    {one_line(str(machine))}"]
    if not machine.torch:
        lines.append(f"    {_NO_TORCH[language]}")
    if not marks:
        lines += ["", f"    {_NOTHING[language]}"]
    for each in marks:
        result = each.applicability.result
        label = click.style(LABELS[result][language], fg=_COLOURS.get(result))
        numbers = "".join(f"[{number}]" for number in each.numbers)
        statement = one_line(printable(each.statement))
        shown = statement if len(statement) <= _LONGEST else f"{statement[: _LONGEST - 1].rstrip()}…"
        lines += ["", f"{numbers} {label}", f"    {shown}"]
        lines += [f"    - {one_line(reason[language])}" for reason in each.applicability.reasons]
    return "\n".join(lines)


def machine_lines(machine: Machine) -> Iterator[str]:
    """Yield one line for each aspect of a machine, except torch.

    Args:
        machine: the machine.
    """
    from assistant.applicability.facts import mac_version

    version = mac_version(machine)
    named = f"macOS {version[0]} ({machine.system})" if version else machine.system
    free = " (free-threaded)" if machine.free_threaded else ""
    yield f"{named}, {machine.processor}, Python {machine.python}{free}"
    sets = " ".join(machine.instructions) or "instruction sets not told by this system"
    picked = f", torch picks {machine.cpu_capability} kernels" if machine.cpu_capability else ""
    memory = f", {machine.memory / 2**30:.0f} GB" if machine.memory else ""
    yield f"CPU {machine.cpu}, {machine.cores} cores{memory}: {sets}{picked}"
    if machine.torch:
        yield _gpu(machine)
    headers = "" if machine.headers or not machine.compiler else "; Python's headers (Python.h) are missing"
    yield (
        f"C++ compiler {machine.compiler}{headers}"
        if machine.compiler
        else ("no C++ compiler; torch.compile on CPU needs one")
    )


def torch_line(machine: Machine) -> str:
    """Describe the torch version and what it is built with.

    Args:
        machine: a machine with torch.
    """
    built = f"CUDA {machine.cuda}" if machine.cuda else f"ROCm {machine.rocm}" if machine.rocm else "no CUDA"
    return f"torch {machine.torch} loads, built with {built}"


def _gpu(machine: Machine) -> str:
    from assistant.applicability.hardware import architecture

    if machine.has_nvidia:
        major, minor = machine.capability
        generation = architecture(machine.capability)
        told = f"compute capability {major}.{minor}{f', {generation}' if generation else ''}"
        return f"GPU {machine.gpu} ({told})"
    return (
        f"GPU {machine.gpu or 'by ' + ' and '.join(machine.devices)}"
        if (machine.gpu or machine.devices)
        else "no GPU that torch can use"
    )

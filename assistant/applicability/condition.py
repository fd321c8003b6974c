"""Conditions on a machine that a sentence of the notes states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Fact = Literal[
    "gpu",  # a GPU of a vendor: "nvidia", "amd", "xpu", "mps", or "any"
    "xpu-model",  # a model of Intel GPUs
    "card",  # a model of NVIDIA or AMD GPUs
    "capability",  # compute capability of an NVIDIA GPU
    "cpu",  # "any", "x86", "arm", "intel", "amd", "graviton", "apple"
    "instruction",
    "system",  # "Linux", "Windows", "macOS", or a distribution of Linux
    "python",
    "free-threaded",
    "cuda",  # version that torch is built with
    "rocm",
    "gcc",
    "compiler",
    "torch",
]
Side = Literal["about", "needed", "ended", "measured"]
Version = tuple[int, ...]

#: Features of one group are alternatives; conditions of different groups must all hold.
GROUPS: dict[Fact, str] = {
    "gpu": "gpu",
    "xpu-model": "gpu",
    "card": "gpu",
    "capability": "gpu",
    "cpu": "cpu",
    "instruction": "instruction",
    "system": "system",
    "python": "python",
    "free-threaded": "python",
    "cuda": "cuda",
    "rocm": "rocm",
    "gcc": "compiler",
    "compiler": "compiler",
    "torch": "torch",
}


@dataclass(frozen=True, slots=True)
class MachineFeature:
    """A property of a machine.

    Attributes:
        fact: type of the property.
        value: internal name ("nvidia", "x86", "avx512f"), "" if the versions identify it.
        name: name shown to readers.
        low, high: minimum and maximum version, both inclusive; () if open. A shorter version covers all that
            start with it: high (12, 8) includes 12.8.1.
    """

    fact: Fact
    value: str
    name: str
    low: Version = ()
    high: Version = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """Alternatives, at least one of which must hold.

    Attributes:
        places: the alternatives.
        side: how the sentence refers to them: it is about them, needs them, ends support for them, or gives a
            figure measured on them.
    """

    places: tuple[MachineFeature, ...]
    side: Side = "about"

    @property
    def group(self) -> str:
        """Group of the alternatives: "gpu", "cpu", "system", ..."""
        return GROUPS[self.places[0].fact]

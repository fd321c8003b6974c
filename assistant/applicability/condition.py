"""A condition: what a sentence of the notes is about or demands, as far as a machine can tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Fact = Literal[
    "gpu",  # a maker's: "nvidia", "amd", "xpu", "mps", or "any"
    "xpu-model",  # a model of Intel's GPUs
    "card",  # an NVIDIA card, or one of AMD by name
    "capability",  # of an NVIDIA GPU
    "cpu",  # "any", "x86", "arm", "intel", "amd", "graviton", "apple"
    "instruction",
    "system",  # "Linux", "Windows", "macOS", or a distribution of Linux
    "python",
    "free-threaded",
    "cuda",  # that torch is built with
    "rocm",
    "gcc",
    "compiler",
    "torch",
]
Side = Literal["about", "needed", "ended", "measured"]
Version = tuple[int, ...]

#: Facts of one group name alternatives; facts of several groups hold together.
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
    """One thing that a machine is or has.

    Attributes:
        fact: what kind of thing.
        value: which one, as our own word ("nvidia", "x86", "avx512f"), "" where versions tell it.
        name: as a reader knows it.
        low, high: least and greatest version, both included; () where open. A shorter version stands for all
            that begin with it: high (12, 8) holds 12.8.1.
    """

    fact: Fact
    value: str
    name: str
    low: Version = ()
    high: Version = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """Places of which one is enough.

    Attributes:
        places: the alternatives.
        side: what the sentence says of them: that it is about them, needs them, takes something from them, or
            tells a figure that was measured on them.
    """

    places: tuple[MachineFeature, ...]
    side: Side = "about"

    @property
    def group(self) -> str:
        """What kind of condition it is: "gpu", "cpu", "system", ..."""
        return GROUPS[self.places[0].fact]

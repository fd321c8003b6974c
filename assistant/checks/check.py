"""A check: a claim of the notes that a program can try on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assistant.checks.rule import Rule
from ingest.document import Language

Cost = Literal["quick", "medium", "slow"]
Kind = Literal["as-stated", "up-to", "average", "previous-release", "other-hardware"]
Words = Mapping[Language, str]

#: What a check costs: seconds that its program takes on two cores, and seconds after which it is ended.
SECONDS: Mapping[Cost, tuple[int, int]] = {"quick": (10, 90), "medium": (60, 240), "slow": (180, 500)}
#: Claims that one machine and one torch cannot refute by being slow; each says in its limits why.
BEYOND: frozenset[Kind] = frozenset({"up-to", "average", "previous-release", "other-hardware"})


@dataclass(frozen=True, slots=True)
class Needs:
    """What a check needs; empty where it needs nothing.

    Attributes:
        device: "cpu", or "cuda" for an NVIDIA GPU.
        capability: least compute capability of that GPU, (0, 0) where any will do.
        instructions: instruction sets of the CPU, as Linux calls them; one of them is enough.
        compiler: whether a C++ compiler is called.
        processes: how many processes run at a time, besides the program itself.
        torch: least release of torch.
        python: the Python it is about, "3.12" for instance.
        system: the operating system, "Linux" for instance.
        modules: Python modules beside torch.
    """

    device: Literal["cpu", "cuda"] = "cpu"
    capability: tuple[int, int] = (0, 0)
    instructions: tuple[str, ...] = ()
    compiler: bool = False
    processes: int = 0
    torch: str = ""
    python: str = ""
    system: str = ""
    modules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """A claim with the program that tries it.

    Attributes:
        id: lower-case words with hyphens; the name of its file.
        release: of the notes that claim it.
        section: id of the digest's section, the same in both languages.
        also: other sections that claim the same, as (release, section).
        claim: what is checked, in one sentence; where that is less than the notes say, it is reworded.
        limits: what the check cannot show; empty where it shows all that the notes say.
        kind: of the claim; see `BEYOND`.
        cost: how long it takes; see `SECONDS`.
        program: the file that runs.
        needs: without these it is not applicable.
        rule: when the claim is confirmed.
    """

    id: str
    release: str
    section: str
    also: tuple[tuple[str, str], ...]
    claim: Words
    limits: Words
    kind: Kind
    cost: Cost
    program: Path
    needs: Needs
    rule: Rule

    @property
    def sections(self) -> tuple[tuple[str, str], ...]:
        """The sections that it belongs to, as (release, section), its own first."""
        return (self.release, self.section), *self.also

    @property
    def kit(self) -> Path:
        """What the program imports; it has to lie beside it."""
        return self.program.with_name("kit.py")

    @property
    def code(self) -> str:
        """The program, to be shown before it runs."""
        return self.program.read_text(encoding="utf-8")

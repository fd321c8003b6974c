"""The definition of a check: a claim of the notes and a program that tries it."""

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

#: Duration of a check: typical seconds on two cores, and seconds after which it is ended.
SECONDS: Mapping[Cost, tuple[int, int]] = {"quick": (10, 90), "medium": (60, 240), "slow": (180, 500)}
#: What the notes say beyond the claim of a check, by kind: such a check tries a narrower claim, and has to
#: tell its limits. {torch} is the version that was tested.
BEYOND: Mapping[Kind, Words] = {
    "up-to": {
        "en": "the notes give the best of their cases; one case was seen",
        "zh": "说明给出的是最好的情形；这里只看了一个例子",
    },
    "average": {
        "en": "the notes give an average over many cases; one case was seen",
        "zh": "说明给出的是许多情形的平均；这里只看了一个例子",
    },
    "previous-release": {
        "en": "the notes compare two releases; only one side was seen, torch {torch}",
        "zh": "说明对比的是两个版本；这里只看到一边，即 torch {torch}",
    },
    "other-hardware": {
        "en": "the notes tell of other hardware than what was seen here",
        "zh": "说明讲的是另一种硬件，与这里看到的不同",
    },
}


@dataclass(frozen=True, slots=True)
class Needs:
    """Requirements of a check; the defaults require nothing.

    Attributes:
        device: "cpu", or "cuda" for an NVIDIA GPU.
        capability: minimum compute capability of that GPU, (0, 0) for any.
        instructions: CPU instruction sets, named as in Linux; one of them is sufficient.
        compiler: whether a C++ compiler is needed.
        processes: number of processes that run at a time, in addition to the program itself.
        torch: minimum release of torch.
        python: required version of Python, such as "3.12".
        system: required operating system, such as "Linux".
        modules: required Python modules, in addition to torch.
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
        release: release of the notes that claim it.
        section: id of the digest's section, the same in both languages.
        also: other sections with the same claim, as (release, section).
        claim: the claim in one sentence; reworded if the check covers less than the notes say.
        limits: what the check cannot show; empty if it covers all that the notes say.
        kind: kind of the claim, see `BEYOND`.
        cost: how long it takes, see `SECONDS`.
        program: file of the program.
        needs: requirements; if they are not met, the check is not applicable.
        rule: condition for the claim to be confirmed.
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
        """Sections that it belongs to, as (release, section), its own first."""
        return (self.release, self.section), *self.also

    @property
    def kit(self) -> Path:
        """Module that the program imports; it must be in the same folder."""
        return self.program.with_name("kit.py")

    @property
    def code(self) -> str:
        """Source code of the program, to be shown before it runs."""
        return self.program.read_text(encoding="utf-8")

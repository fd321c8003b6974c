"""Findings of a self-test."""

from __future__ import annotations

from dataclasses import dataclass

from ui.shared.console import one_line


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line of the report.

    Attributes:
        good: whether it works.
        text: what was found.
        mend: how to fix it, "" if it works.
    """

    good: bool
    text: str
    mend: str = ""

    def __str__(self) -> str:
        mark = "ok" if self.good else "!!"
        return f"{mark}  {one_line(self.text)}" + (f"; {self.mend}" if self.mend else "")

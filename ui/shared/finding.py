"""A finding of a self-test: what works, what does not, and the command that mends it."""

from __future__ import annotations

from dataclasses import dataclass

from ui.shared.console import one_line


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
        good: whether all is well.
        text: what was found.
        mend: what to type when it is not, "" otherwise.
    """

    good: bool
    text: str
    mend: str = ""

    def __str__(self) -> str:
        mark = "ok" if self.good else "!!"
        return f"{mark}  {one_line(self.text)}" + (f"; {self.mend}" if self.mend else "")

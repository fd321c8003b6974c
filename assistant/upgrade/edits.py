"""Edits of source text: replacements at positions, applied together, and shown as a patch."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A replacement of a part of a text.

    Attributes:
        start, end: offsets in the text; equal for an insertion.
        text: what stands there afterwards.
    """

    start: int
    end: int
    text: str


class Positions:
    """Offsets of positions in a text, as `ast` gives them: lines from 1, columns in bytes of UTF-8.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._rows = text.split("\n")
        self._starts = [0]
        for row in self._rows:
            self._starts.append(self._starts[-1] + len(row) + 1)

    def offset(self, line: int, column: int) -> int:
        """Return the offset in the text.

        Args:
            line: from 1.
            column: in bytes of UTF-8, from 0.
        """
        row = self._rows[line - 1]
        return self._starts[line - 1] + len(row.encode()[:column].decode("utf-8", "ignore"))


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after edits; of edits that overlap, the first is applied.

    Args:
        text: the text.
        edits: edits in any order.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(set(edits)):
        if edit.start >= at:
            parts += [text[at : edit.start], edit.text]
            at = edit.end
    return "".join([*parts, text[at:]])


def patch(name: str, before: str, after: str) -> str:
    """Return the difference of two texts as a patch that `git apply` and `patch -p1` take.

    Args:
        name: name of the file.
        before, after: the texts.
    """
    lines: list[str] = []
    for line in difflib.unified_diff(_rows(before), _rows(after), _named(f"a/{name}"), _named(f"b/{name}")):
        lines.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(lines)


def _rows(text: str) -> list[str]:
    """Split at line feeds only: what else separates lines for Python does not for a patch."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _named(name: str) -> str:
    """Quote a name as git does, so that none ends its line and begins the patch of another file."""
    if name.isprintable() and not set(name) & set('"\\'):
        return name
    return '"' + "".join(map(_quoted, name)) + '"'


def _quoted(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", "replace"))

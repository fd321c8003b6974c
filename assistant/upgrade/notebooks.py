"""Notebooks: the Python and the shell commands of their cells, with the lines of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_SHELL = re.compile(r"^\s*(?:!|%(?:pip|conda|sh|bash)\b|%%(?:bash|sh)\b)")
_MOST_MISSED = 20
_MAGIC = re.compile(r"^(?P<indent>\s*)(?:[!%?]|\w+\s*=\s*!|[\w.]+\?{1,2}\s*$)")


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell.

    Attributes:
        number: number among all cells, from 1.
        code: its Python, with a `pass` for each line that is not Python.
        source: the cell as it is.
        lines: line of the file for each line of the cell.
        commands: shell commands, as (line within the cell from 1, text).
    """

    number: int
    code: str
    source: str
    lines: tuple[int, ...]
    commands: tuple[tuple[int, str], ...]


def cells_of(text: str) -> Iterator[Cell]:
    """Yield the code cells of a notebook.

    Args:
        text: the file.

    Raises:
        ValueError: it is not a notebook.
        RecursionError: it is nested too deeply.
    """
    notebook = json.loads(text)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("not a notebook with cells")
    lines = _Lines(text)
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        given = cell.get("source", "")
        source = "".join(map(str, given)) if isinstance(given, list) else str(given)
        written = [str(each) for each in given] if isinstance(given, list) else [source]
        yield _cell(number, source, lines.of(written))


def _cell(number: int, source: str, lines: list[int]) -> Cell:
    code: list[str] = []
    commands: list[tuple[int, str]] = []
    rows = source.split("\n")
    whole = rows[0].startswith("%%") if rows else False
    is_python = not whole or re.match(r"%%(?:time|timeit|capture|prun)\b", rows[0]) is not None
    for at, row in enumerate(rows, 1):
        shell = _SHELL.match(row) or (whole and re.match(r"%%(?:bash|sh)\b", rows[0]))
        if shell:
            commands.append((at, row))
        magic = _MAGIC.match(row)
        if not is_python:
            code.append("")
        else:
            code.append(f"{magic['indent']}pass" if magic else row)
    padded = (*lines, *([lines[-1] if lines else 1] * (len(rows) - len(lines))))
    return Cell(number, "\n".join(code), source, padded, tuple(commands))


class _Lines:
    """Finds the lines of a file where the strings of its cells are written, each after the one before.

    A string that is escaped in another way than `json` does is not found; after `_MOST_MISSED` searches for
    nothing there are no more, since each reads the rest of the file.

    Args:
        text: the file.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at, self._line, self._missed = 0, 1, 0

    def of(self, written: list[str]) -> list[int]:
        """Return the line of the file for each line of a cell.

        Args:
            written: the strings that the cell consists of.
        """
        lines: list[int] = []
        for each in written:
            found = self._find(each)
            if found >= 0:
                self._line += self._text.count("\n", self._at, found)
                self._at = found + 1  # what is written twice stands in two places
            lines += [self._line] * max(1, each.rstrip("\n").count("\n") + 1)
        return lines

    def _find(self, each: str) -> int:
        plain = not (self._text.isascii() or each.isascii())
        for escaped in (False, True) if plain else (True,):
            if self._missed < _MOST_MISSED:
                found = self._text.find(json.dumps(each, ensure_ascii=escaped), self._at)
                if found >= 0:
                    return found
                self._missed += 1
        return -1

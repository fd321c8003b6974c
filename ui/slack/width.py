"""Alignment of text in columns; Chinese characters are two columns wide."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

_GAP = "  "
_NARROWEST = 8  # columns are not made narrower
_WIDEST = 76  # longer lines wrap in Slack's code blocks at common window sizes


def width(text: str) -> int:
    r"""Return the width of a text in columns.

    Args:
        text: any text.

    >>> width("ab"), width("中文"), width("e\u0301")
    (2, 4, 1)
    """
    return sum(map(_width, text))


def wrap(text: str, most: int) -> list[str]:
    """Wrap a text at spaces and between Chinese characters; words longer than a line are split.

    Args:
        text: any text.
        most: maximum number of columns.

    >>> wrap("one two three", 7)
    ['one two', 'three']
    """
    lines, line = [], ""
    for word in _words(text):
        if width(line + word.rstrip()) > most and line.strip():
            lines.append(line.rstrip())
            line = ""
            word = word.lstrip()
        while width(word.rstrip()) > most:
            head = _head(word, most)
            lines.append(head)
            word = word[len(head) :]
        line += word
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def table_text(rows: Sequence[Sequence[str]], most: int = _WIDEST) -> str:
    """Format a table as aligned text; long cells are wrapped.

    Args:
        rows: rows of cells, the first one is the header.
        most: maximum number of columns.
    """
    count = max(map(len, rows))
    cells = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = [max(1, *(width(row[n]) for row in cells)) for n in range(count)]
    while sum(widths) + len(_GAP) * (count - 1) > most and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    wrapped = [[wrap(cell, columns) for cell, columns in zip(row, widths, strict=True)] for row in cells]
    apart = any(len(cell) > 1 for row in wrapped[1:] for cell in row)
    lines: list[str] = []
    for number, row in enumerate(wrapped):
        if apart and number > 1:
            lines.append("")
        lines += _row(row, widths)
        if number == 0:
            lines.append(_GAP.join("-" * columns for columns in widths))
    return "\n".join(lines)


def _row(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterator[str]:
    for place in range(max(map(len, cells))):
        parts = [cell[place] if place < len(cell) else "" for cell in cells]
        yield _GAP.join(p + " " * (w - width(p)) for p, w in zip(parts, widths, strict=True)).rstrip()


def _words(text: str) -> Iterator[str]:
    """Yield the parts of a text that must not be split, with trailing spaces."""
    word = ""
    for character in " ".join(text.split()):
        if character == " ":
            yield f"{word} "
            word = ""
        elif _width(character) == 2:
            if unicodedata.category(character)[0] == "P":  # a line must not start with 。
                yield word + character
            else:
                if word:
                    yield word
                word = character
                continue
            word = ""
        else:
            if word and _width(word[-1]) == 2:
                yield word
                word = ""
            word += character
    if word:
        yield word


def _head(word: str, most: int) -> str:
    end = 1
    while end < len(word) and width(word[: end + 1]) <= most:
        end += 1
    return word[:end]


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

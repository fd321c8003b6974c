"""Code in Markdown text: spans between backticks and fences, found in one pass over the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_RUN = re.compile(r"`+|^~{3,}", re.M)


class CodeSpan(NamedTuple):
    """Code with its marks: where it is, and how long the mark on each side is."""

    start: int
    end: int
    mark: int

    def content(self, text: str) -> str:
        """What stands between the marks; the info string of a fence is part of it."""
        return text[self.start + self.mark : self.end - self.mark]


def code_spans(text: str) -> Iterator[CodeSpan]:
    """Code spans and fences in order.

    A run of marks closes with the next run of the same length, or opens none. The time is linear in the text,
    whatever runs it holds.
    """
    runs = [match.span() for match in _RUN.finditer(text)]
    closing = [-1] * len(runs)
    following: dict[str, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        mark = text[slice(*runs[number])]
        closing[number] = following.get(mark, -1)
        following[mark] = number
    number = 0
    while number < len(runs):
        start, end = runs[number]
        if closing[number] >= 0:
            number = closing[number]
            yield CodeSpan(start, runs[number][1], end - start)
        number += 1


def outside_code(markdown: str, change: Callable[[str], str], *, keep_marks: bool = True) -> str:
    """The text with what is no code changed, and the code without its marks if these are not kept."""
    parts: list[str] = []
    position = 0
    for code in code_spans(markdown):
        parts.append(change(markdown[position : code.start]))
        parts.append(markdown[code.start : code.end] if keep_marks else code.content(markdown).strip())
        position = code.end
    parts.append(change(markdown[position:]))
    return "".join(parts)

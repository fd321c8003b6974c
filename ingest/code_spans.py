"""Code spans and fences in Markdown, found in a single pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_RUN = re.compile(r"`+|^~{3,}", re.M)


class CodeSpan(NamedTuple):
    """A code span or fence, delimiters included.

    Attributes:
        start, end: span in the text.
        mark: length of the delimiter on each side.
    """

    start: int
    end: int
    mark: int

    def content(self, text: str) -> str:
        """Return the text between the delimiters, including the info string of a fence.

        Args:
            text: the text that the span was found in.
        """
        return text[self.start + self.mark : self.end - self.mark]


def code_spans(text: str) -> Iterator[CodeSpan]:
    """Yield code spans and fences in order.

    A run of backticks or tildes closes at the next run of the same length; if there is none, it is plain
    text. Takes linear time whatever runs the text contains.

    Args:
        text: a Markdown text.
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
    """Apply a function to the parts of a text that are not code.

    Args:
        markdown: a Markdown text.
        change: maps a part outside code to its replacement.
        keep_marks: keep the delimiters of code; False: remove them, and white space around the code.
    """
    parts: list[str] = []
    position = 0
    for code in code_spans(markdown):
        parts.append(change(markdown[position : code.start]))
        parts.append(markdown[code.start : code.end] if keep_marks else code.content(markdown).strip())
        position = code.end
    parts.append(change(markdown[position:]))
    return "".join(parts)

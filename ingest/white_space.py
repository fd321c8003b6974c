"""Bounds on the white space of a document: some patterns take a square of the length of a run of it.

A run costs no token, so that no limit on chunks or sentences bounds it: a document with 200,000 spaces in a
sentence kept each question that met it busy for minutes, while no other thread ran.
"""

from __future__ import annotations

import re

_MOST_SPACES = 100  # within a line; more than indentation and tables have
_MOST_BLANK = 20  # lines
_WIDE = re.compile(rf"[^\S\n]{{{_MOST_SPACES + 1},}}")


def bounded(text: str) -> str:
    """Return a text whose runs of white space are at most as long as real documents have them.

    Args:
        text: text with LF line ends.
    """
    lines: list[str] = []
    blank = 0
    for line in _WIDE.sub(lambda run: run[0][:_MOST_SPACES], text).split("\n"):
        blank = 0 if line and not line.isspace() else blank + 1
        if blank <= _MOST_BLANK:
            lines.append(line)
    return "\n".join(lines)

"""Bold inside lines, as a markdown-it rule that takes no stars of names (`**kwargs`, `2**3`) for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline

_BEFORE = re.compile(r"[\w)\]*]$", re.ASCII)
#: No second pair of stars inside, and none next to a name outside.
_BOLD = re.compile(
    r"\*\*(?P<words>(?![\s*])(?:(?!\*\*)[^\n`]|`[^`\n]+`){1,400}?(?<![\s*(,]))\*\*(?![A-Za-z0-9_*(])"
)


def bold_words(state: StateInline, silent: bool) -> bool:
    """Parse bold words within a line.

    Args:
        state: state of the parser.
        silent: only test, without adding tokens.

    Returns:
        Whether there are such words at the current position.
    """
    match = _BOLD.match(state.src, state.pos, state.posMax)
    if match is None or _BEFORE.search(state.src, max(0, state.pos - 1), state.pos):
        return False
    if not silent:
        state.push("strong_open", "strong", 1)
        reach, state.pos, state.posMax = state.posMax, match.start("words"), match.end("words")
        state.md.inline.tokenize(state)
        state.posMax = reach
        state.push("strong_close", "strong", -1)
    state.pos = match.end()
    return True

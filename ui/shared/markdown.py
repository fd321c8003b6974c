"""Markdown rules shared by all interfaces: which addresses become links, which lines are titles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline

_WEB = re.compile(r"https?://[^\s/?#]+[^\s]*", re.I)
#: A host in words: after a scheme, or by an ending that no name of torch has.
_PLACE = re.compile(
    r"(?:https?://|\bwww\.)([a-z0-9.-]+)|(?<![\w.-])((?:[a-z0-9-]{1,63}\.){1,5}(?:org|com|net|io|cn|edu|gov))(?![\w.-])",
    re.I,
)
#: A line that is bold as a whole, or opens with bold words and a colon. Other stars belong to names and code.
BOLD_LINE = re.compile(
    r"\*\*(?=\S)(?:(?P<opening>[^\n*]+[:：])\*\*(?=\s)|(?P<title>[^\n]+)(?<=\S)\*\*(?=\n|\Z))"
)


def is_web(url: str) -> bool:
    """Return whether an address may become a link.

    Args:
        url: the address.
    """
    return _WEB.fullmatch(url) is not None


def bold_line(state: StateInline, silent: bool) -> bool:
    """Parse a title above the sentences of a section, or bold words that open a line (a markdown-it rule).

    Args:
        state: state of the parser.
        silent: only test, without adding tokens.

    Returns:
        Whether there is such a line at the current position.
    """
    match = BOLD_LINE.match(state.src, state.pos, state.posMax)
    if match is None or (state.pos and state.src[state.pos - 1] != "\n"):
        return False
    if not silent:
        state.push("strong_open", "strong", 1)
        reach, state.pos, state.posMax = state.posMax, *match.span(match.lastgroup or 0)
        state.md.inline.tokenize(state)
        state.posMax = reach
        state.push("strong_close", "strong", -1)
    state.pos = match.end()
    return True


def other_place(words: str, url: str) -> str:
    """Return the host that a link leads to where its words name another one, else "".

    >>> other_place("https://pytorch.org", "https://evil.example/a"), other_place("notes", "https://a.example")
    ('evil.example', '')

    Args:
        words: of the link.
        url: http or https.
    """
    host = (_host(url) or "").removeprefix("www.")
    named = {
        (match[1] or match[2]).lower().strip(".").removeprefix("www.") for match in _PLACE.finditer(words)
    }
    return host if named - {host} else ""


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None

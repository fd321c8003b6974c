"""Formatting of lines that quote documents or name commands, with code formatted."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

# Also matches a block that is cut off at the end of the quote.
_FENCED = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<code>.*?)(?:\n[ \t]*(?P=fence)[ \t]*(?:\n|\Z)|\Z)",
    re.M | re.S,
)
# A CommonMark code span: the same number of backticks on both sides, and no empty line between them.
_SPAN = re.compile(r"(?<![\\`])(?P<ticks>`+)(?!`)(?P<code>(?:(?!\n[ \t]*\n).)+?)(?<!`)(?P=ticks)(?!`)", re.S)


def quote_to_html(quote: str) -> str:
    """Escape a quote and format its code.

    Args:
        quote: the quote.

    >>> quote_to_html("Set `USE_LIBUV=0` & <go>.")
    'Set <code>USE_LIBUV=0</code> &amp; &lt;go&gt;.'
    """
    return _replaced(_FENCED, quote, _block, lambda text: _replaced(_SPAN, text, _span, escape))


def _block(match: re.Match[str]) -> str:
    return f'<code class="tn-block">{escape(match["code"])}</code>'


def _span(match: re.Match[str]) -> str:
    code = match["code"]
    if code.strip() and code[0] == code[-1] == " ":  # padding around code that contains backticks
        code = code[1:-1]
    return f"<code>{escape(code)}</code>"


def _replaced(
    pattern: re.Pattern[str], text: str, inside: Callable[[re.Match[str]], str], outside: Callable[[str], str]
) -> str:
    """Replace matches by one function and the text between them by another."""
    parts: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        parts += [outside(text[end : match.start()]), inside(match)]
        end = match.end()
    return "".join([*parts, outside(text[end:])])

"""Formatting of verbatim text from documents, with code formatted and quotes highlighted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import escape

from ui.shared.sources import shown_quote

# Also matches a block that is cut off at the end of the quote.
_FENCED = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<code>.*?)(?:\n[ \t]*(?P=fence)[ \t]*(?:\n|\Z)|\Z)",
    re.M | re.S,
)
# A CommonMark code span: the same number of backticks on both sides, and no empty line between them.
_SPAN = re.compile(r"(?<![\\`])(?P<ticks>`+)(?!`)(?P<code>(?:(?!\n[ \t]*\n).)+?)(?<!`)(?P=ticks)(?!`)", re.S)


_HEADING_LINE = re.compile(r"\A\s*#{1,6} [^\n]*(?:\n|\Z)")

Span = tuple[int, int]


def marked_to_html(text: str, spans: Mapping[int, Span]) -> str:
    r"""Format a passage with its quotes highlighted; a leading heading, shown above it, is left out.

    Args:
        text: text of the passage.
        spans: span of each quote in it, by number.

    >>> marked_to_html("## A\nOne. Two.", {7: (10, 14)})
    'One. <mark data-source="7">Two.</mark>'
    """
    parts: list[str] = []
    cut_code = any(_cuts_code(text, position) for span in spans.values() for position in span)
    show = escape if cut_code else quote_to_html
    for words, number in _pieces(text, spans):
        if number is None:
            parts.append(show(words if parts else _HEADING_LINE.sub("", words)))
        else:
            parts.append(f'<mark data-source="{number}">{show(shown_quote(words))}</mark>')
    return "".join(parts).strip()


def _pieces(text: str, spans: Mapping[int, Span]) -> Iterator[tuple[str, int | None]]:
    """Yield the text split at the quotes; of overlapping ones the later is shortened."""
    position = 0
    for (start, end), number in sorted((span, number) for number, span in spans.items()):
        start, end = max(start, position), min(end, len(text))
        if start < end:
            if position < start:
                yield text[position:start], None
            yield text[start:end], number
            position = end
    if position < len(text):
        yield text[position:], None


def _cuts_code(text: str, position: int) -> bool:
    """Return whether a position is inside a code block, whose halves would not be recognised as code."""
    blocks = (match.span() for match in _FENCED.finditer(text))
    return any(text[start:position].strip() and text[position:end].strip() for start, end in blocks)


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

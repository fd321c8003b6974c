"""Conversion of passages from documents to HTML, with quotes highlighted.

The quotes are spans of the Markdown. Their ends are marked with characters that no document has, the text is
parsed with them, and what stands between them in the result is highlighted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from ui.shared.markdown import is_web
from ui.web.components.markdown_html import render_link
from ui.web.components.safe import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

Span = tuple[int, int]
_START, _END = "\uf8f0", "\uf8f1"  # for private use: of no script
_MARK = re.compile(f"[{_START}{_END}]")
_HEADING_LINE = re.compile(r"\A\s*#{1,6} [^\n]*(?:\n|\Z)")
_ANCHOR = re.compile(f"[ \\t]*\\{{#[\\w-]+\\}}[ \\t]*(?={_END}?$)", re.M)
#: What a line begins with that Markdown would not see behind a mark.
_SYNTAX = re.compile(
    r"(?:[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}|>|\|)(?=[ \t]|\|))+[ \t]*|[ \t]+|(?:`{3,}|~{3,})[^\n]*\n"
)
_FENCE_END = re.compile(r"\n[ \t]*(?:`{3,}|~{3,})[ \t]*\Z")
_ROW_END = re.compile(r"[ \t]*\|[ \t]*\Z")


def passage_to_html(text: str, spans: Mapping[int, Span] | None = None) -> str:
    r"""Convert a passage to HTML; a heading in front, shown above it, is left out unless it is quoted.

    Args:
        text: Markdown of the passage.
        spans: span of each quote in it, by number.

    >>> passage_to_html("## A\nOne. Two.", {7: (10, 14)})
    '<p>One. <mark data-source="7">Two.</mark></p>'
    """
    text = _MARK.sub("\ufffd", text)
    pieces: list[str] = []
    numbers: list[int] = []
    position = 0
    for start, end, number in _ordered(text, spans or {}):
        before, quote = text[position:start], text[start:end]
        opening = _SYNTAX.match(quote) if not before or before.endswith("\n") else None
        inside = quote[opening.end() :] if opening else quote
        closing = _FENCE_END.search(inside) or _ROW_END.search(inside)
        cut = closing.start() if closing else len(inside.rstrip())
        pieces += [before, quote[: len(quote) - len(inside)], _START, inside[:cut], _END, inside[cut:]]
        numbers.append(number)
        position = end
    marked = "".join([*pieces, text[position:]])
    heading = _HEADING_LINE.match(marked)
    if heading and not _MARK.search(heading[0]):
        marked = marked[heading.end() :]
    html: str = _markdown().render(_ANCHOR.sub("", marked), {"numbers": iter(numbers), "number": None})
    return safe(_MARK.sub("", html)).strip()


def _ordered(text: str, spans: Mapping[int, Span]) -> Iterator[tuple[int, int, int]]:
    """Yield start, end and number of each span; of overlapping ones the later is shortened."""
    position = 0
    for (start, end), number in sorted((span, number) for number, span in spans.items()):
        start, end = max(start, position), min(end, len(text))
        if start < end:
            yield start, end, number
            position = end


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": False}).enable("table")
    parser.disable(["image"])
    parser.validateLink = is_web  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _render_link)
    for name in ("text", "code_inline", "fence", "code_block"):
        parser.add_render_rule(name, _render_text)
    return parser


def _render_text(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Render the text or code of a token, with what lies in a quote highlighted."""
    token = tokens[index]
    html = "".join(_highlighted(token.content, env))
    if token.type == "text":
        return html
    if token.type == "code_inline":
        return f"<code>{html}</code>"
    return f'<pre tabindex="0"><code>{html}</code></pre>\n'


def _highlighted(content: str, env: EnvType) -> Iterator[str]:
    """Yield the pieces of a text; `env["number"]` is that of the quote at its end, or None."""
    position = 0
    for mark in [*_MARK.finditer(content), None]:
        piece = escape(content[position : mark.start() if mark else None])
        number = env["number"]
        yield (
            f'<mark data-source="{number}">{piece}</mark>' if number is not None and piece.strip() else piece
        )
        if mark:
            env["number"] = next(env["numbers"], None) if mark[0] == _START else None
            position = mark.end()


def _render_link(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Open a link in a new tab; a mark within its address belongs to none."""
    token = tokens[index]
    href = re.sub("%EF%A3%B[01]", "", str(token.attrGet("href")))
    token.attrSet("href", href)
    return render_link(self, tokens, index, options, env)

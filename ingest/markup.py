"""Markdown blocks with character spans, and plain text of inline Markdown.

markdown-it-py finds the blocks. This module adds character spans and what release notes need: list items know
the line of their parent, a bold line of its own counts as a heading, and inline markup is removed without
damage to identifiers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from ingest.code_spans import outside_code

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BlockKind = Literal["heading", "paragraph", "item", "fence", "table", "quote", "html"]

_LINE_END = re.compile(r"\r\n?|\n")  # as markdown-it counts lines
_PSEUDO_LEVEL = 7  # below every real heading
_PSEUDO_HEADING = re.compile(r"(?:\*\*[^*\n]{2,80}?\*\*|__[^*_\n]{2,80}?__)[:：]?")
_CLOSING_HASHES = re.compile(r"(?<![ \t])[ \t]+#+[ \t]*\Z")
_UNDERLINE = re.compile(r"\n[ \t]{0,3}(?:=+|-+)[ \t]*\Z")
# The patterns below take linear time on any text: none searches beyond the next mark of its own kind.
_PULL_REQUESTS = re.compile(r"(?<!\s)\s*\(#\d{3,6}(?:[,/\s]+#\d{3,6})*\)")
_IMAGE = re.compile(r"!\[([^\[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_LINK = re.compile(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?[^()\s]*(?:\([^()\s]*\)[^()\s]*)*>?(?:\s+\"[^\"]*\")?\)"
)
_AUTOLINK = re.compile(r"<(https?://[^<>\s]+)>")
# Known tags only: `std::vector<float>` and `Tensor<T>` in prose are not HTML.
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em"
    r"|figcaption|figure|font|h[1-6]|hr|i|iframe|img|ins|kbd|li|mark|ol|p|picture|pre|q|samp|section|small|source"
    r"|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video|wbr)"
    r"(?:\s[^<>]*|/)?>",
    re.I,
)
_STRONG = re.compile(r"\*\*(?=\S)((?:[^*]|\*(?!\*))+?)(?<=\S)\*\*")
_STAR = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![*])")
# A phrase or a single name; the underscores of names such as `torch._check` are not emphasis.
_UNDERSCORE = re.compile(
    r"(?<![\w.\\])_(?=[^\s_])((?:[^_\n\\]|\\.|(?<=\w)_(?=\w))+?|(?:[^_\s]|(?<=[\w.])_(?=\w))+?)"
    r"(?<=[^\s_\\])_(?!\w)"
)
_ASCII_WORD = re.compile(r"\w", re.ASCII)
_QUOTE_MARK = re.compile(r"(?<=\n)[ \t]{0,3}(?:>(?![>=])[ \t]?)+")
_ESCAPED_NAME = re.compile(r"(?<=\w)\\([_*])(?=\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a Markdown text.

    Attributes:
        kind: type of the block.
        start, end: span in the text, without trailing blank lines.
        level: heading level 1-7 (7: a bold line used as a heading), list depth from 1, otherwise 0.
        parent: span of the list item, or introducing paragraph, that a part of a list belongs to, or None.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    parent: tuple[int, int] | None = None


def parse_blocks(text: str) -> list[Block]:
    """Parse a Markdown text into blocks.

    Args:
        text: a Markdown text.

    Returns:
        Blocks in order, without overlap; only white space, rules and link definitions lie between them.
    """
    offsets = [0, *(line.end() for line in _LINE_END.finditer(text)), len(text)]
    blocks = _Walker(text, offsets).walk(_markdown().parse(text))
    return [_pseudo_heading(text, block) for block in blocks]


class _Walker:
    """Converts markdown-it's tokens, which have line numbers only, into blocks with character spans."""

    def __init__(self, text: str, offsets: list[int]) -> None:
        self.text = text
        self.offsets = offsets
        self.blocks: list[Block] = []
        self.items: list[tuple[int, int] | None] = []
        self.lead: tuple[int, int] | None = None
        self.quote = 0

    def walk(self, tokens: list[Token]) -> list[Block]:
        for token in tokens:
            match token.type:
                case "bullet_list_open" | "ordered_list_open":
                    if not self.items:
                        self.lead = self._lead_in()
                case "list_item_open":
                    self.items.append(None)
                case "list_item_close":
                    self.items.pop()
                case "blockquote_open":
                    self.quote += 1
                case "blockquote_close":
                    self.quote -= 1
                case "heading_open":
                    self._add("heading", token, level=int(token.tag[1:]))
                case "paragraph_open":
                    self._paragraph(token)
                case "fence" | "code_block":
                    self._add("fence", token, parent=self._parent())
                case "table_open":
                    self._add("table", token, parent=self._parent())
                case "html_block":
                    self._add("html", token)
        return self.blocks

    def _paragraph(self, token: Token) -> None:
        if not self.items:
            self._add("quote" if self.quote else "paragraph", token)
        elif self.items[-1] is None:
            self._item(token)
        else:
            self._add("item", token, level=len(self.items), parent=self.items[-1])

    def _item(self, token: Token) -> None:
        """Add the first paragraph of a list item."""
        self._add("item", token, level=len(self.items), parent=self._parent())
        self.items[-1] = (self.blocks[-1].start, self.blocks[-1].end)

    def _parent(self) -> tuple[int, int] | None:
        """Return the line of the enclosing list item, or else the paragraph that introduces the list."""
        above = [span for span in self.items if span]
        return above[-1] if above else self.lead if self.items else None

    def _lead_in(self) -> tuple[int, int] | None:
        """Return the paragraph before a list that ends in a colon."""
        block = self.blocks[-1] if self.blocks else None
        if block is None or block.kind not in ("paragraph", "item"):
            return None
        if block.kind == "item":
            return self.lead  # a list directly after another, as when the bullet character changes
        ends = self.text[block.start : block.end].rstrip("* ").endswith((":", "："))
        return (block.start, block.end) if ends else None

    def _add(
        self, kind: BlockKind, token: Token, *, level: int = 0, parent: tuple[int, int] | None = None
    ) -> None:
        first, last = token.map or [0, 0]
        start = self.offsets[first]
        end = min(self.offsets[last], len(self.text))
        floor = self.blocks[-1].end if self.blocks else 0
        start = max(start, floor)
        end -= len(self.text[start:end]) - len(self.text[start:end].rstrip())
        if end > start:
            self.blocks.append(Block(kind, start, end, level, parent))


def _pseudo_heading(text: str, block: Block) -> Block:
    if block.kind == "paragraph" and _PSEUDO_HEADING.fullmatch(text[block.start : block.end]):
        return Block("heading", block.start, block.end, _PSEUDO_LEVEL)
    return block


def without_closing(heading: str) -> str:
    r"""Return a heading without its closing hashes, or the line under it.

    Args:
        heading: source of the heading.

    >>> without_closing("## Use C# ##"), without_closing("Deprecations\n------")
    ('## Use C#', 'Deprecations')
    """
    closing = _CLOSING_HASHES if heading.lstrip().startswith("#") else _UNDERLINE
    return closing.sub("", heading)


def inline_text(markdown: str) -> str:
    """Convert inline Markdown to one line of plain text; code spans are kept byte for byte.

    Args:
        markdown: inline Markdown, possibly with a heading, list or quote mark before it.

    >>> inline_text("### [Beta] *torch.compile* and `torch._dynamo.mark_dynamic` ([#1](https://x.y))")
    '[Beta] torch.compile and torch._dynamo.mark_dynamic (#1)'
    """
    text = re.sub(r"^\s{0,3}(?:#{1,6}\s+|[-*+•]\s+|\d+[.)]\s+|>\s?)", "", markdown.strip())
    return re.sub(r"\s+", " ", outside_code(text, _without_marks, keep_marks=False)).strip()


def unescape(markdown: str) -> str:
    r"""Remove Markdown escapes of underscores and stars inside names.

    Args:
        markdown: a Markdown text.

    >>> unescape(r"sdp\_kernel, `a\_b`")
    'sdp_kernel, `a\\_b`'
    """
    return outside_code(markdown, lambda text: _ESCAPED_NAME.sub(r"\1", text))


def reading_text(markdown: str) -> str:
    r"""Remove link targets, tags, emphasis, quote marks and pull-request lists; line breaks are kept.

    Args:
        markdown: a Markdown text.

    >>> reading_text("See [the *docs*](https://x.y/z), fixed (#1234, #5678).\n<b>Use</b> `a_b`")
    'See the docs, fixed.\nUse `a_b`'
    """
    text = _PULL_REQUESTS.sub("", f"\n{markdown}")  # the patterns expect a line break before each line
    text = outside_code(text, lambda part: _without_marks(_QUOTE_MARK.sub("", part)))
    return re.sub(r"(?<![ \t])[ \t]+\n", "\n", text).strip()


def _without_marks(text: str) -> str:
    text = _without_comments(text)
    text = _IMAGE.sub(r"\1", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _TAG.sub("", text)
    text = _STRONG.sub(_emphasised, text)
    text = _STAR.sub(_emphasised, text)
    text = _UNDERSCORE.sub(r"\1", text)
    return _ESCAPE.sub(r"\1", text)


def _without_comments(text: str) -> str:
    parts: list[str] = []
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts.append(text[position:start])
        position = end + 3
    return "".join(parts) + text[position:]


def _emphasised(match: re.Match[str]) -> str:
    """Return the text between stars; with stars that are operators or those of `f(*args, **options)`."""
    content = match[1]
    before, after = (
        match.string[max(match.start() - 1, 0) : match.start()],
        match.string[match.end() : match.end() + 1],
    )
    in_word = _ASCII_WORD.match(after) is not None
    operator = in_word and (before in (")", "]") or _ASCII_WORD.match(before) or content[-1] in ",=:")
    if operator or content[0] in ",.;:)]}" or content[-1] in "([{" or not _balanced(content):
        return match[0]
    return content


def _balanced(text: str) -> bool:
    """Return whether the parentheses in a text are balanced."""
    depth = 0
    for mark in re.findall(r"[()]", text):
        depth += 1 if mark == "(" else -1
        if depth < 0:
            return False
    return depth == 0


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")

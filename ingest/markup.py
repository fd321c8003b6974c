"""Blocks of a Markdown text with their spans, and its inline text without marks.

markdown-it-py finds the blocks (`#` inside a fence is no heading, an unclosed fence runs to the end, ...);
here they only get character spans, and three things release notes need: a list item keeps the line of its
parent, a bold line of its own counts as a heading, and plain text comes out of inline Markdown unharmed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BlockKind = Literal["heading", "paragraph", "item", "fence", "table", "quote", "html"]

_LINE_END = re.compile(r"\r\n?|\n")  # as markdown-it counts lines
_PSEUDO_LEVEL = 7  # below every real heading
_PSEUDO_HEADING = re.compile(r"(?:\*\*[^*\n]{2,80}?\*\*|__[^*_\n]{2,80}?__)[:：]?")
_FENCE = re.compile(r"(`+)(.+?)\1", re.S)
_CODE_SPAN_OR_FENCE = re.compile(r"(?P<ticks>`+).+?(?P=ticks)|^(?P<fence>~~~+).*?^(?P=fence)", re.S | re.M)
_PULL_REQUESTS = re.compile(r"\s*\(#\d{3,6}(?:[,/\s]+#\d{3,6})*\)")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?[^()\s]*(?:\([^()\s]*\)[^()\s]*)*>?(?:\s+\"[^\"]*\")?\)"
)
_AUTOLINK = re.compile(r"<(https?://[^>\s]+)>")
# Tags by name: `std::vector<float>` and `Tensor<T>` in prose are none.
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|br|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em"
    r"|figcaption|figure|font|h[1-6]|hr|i|iframe|img|ins|kbd|li|mark|ol|p|picture|pre|q|samp|section|small|source"
    r"|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video|wbr)"
    r"(?:\s[^<>]*)?/?>|<!--.*?-->",
    re.S | re.I,
)
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", re.S)
_STAR = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![*])")
_UNDERSCORE = re.compile(r"(?<![\w_])_(?=[^\s_])(.+?)(?<=[^\s_])_(?![\w_])")
_ESCAPED_NAME = re.compile(r"(?<=\w)\\([_*])(?=\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True)
class Block:
    """A structural part of a text.

    Attributes:
        kind: what it is.
        start, end: span in the text, without the blank lines after it.
        level: heading level 1-7 (7: a bold line that serves as one), or list depth from 1; else 0.
        parent: span of the list item (or lead-in paragraph) that a part of a list stands under, or None.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    parent: tuple[int, int] | None = None


def parse_blocks(text: str) -> list[Block]:
    """The blocks of a Markdown text in order, none overlapping; what lies between is white space or rules."""
    offsets = [0, *(line.end() for line in _LINE_END.finditer(text)), len(text)]
    blocks = _Walker(text, offsets).walk(_markdown().parse(text))
    return [_pseudo_heading(text, block) for block in blocks]


class _Walker:
    """Turns markdown-it's token stream, which knows lines only, into blocks with character spans."""

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
        """The first paragraph of a list item: the item's own line."""
        self._add("item", token, level=len(self.items), parent=self._parent())
        self.items[-1] = (self.blocks[-1].start, self.blocks[-1].end)

    def _parent(self) -> tuple[int, int] | None:
        """The line of the nearest list item around what comes next, else the list's lead-in."""
        above = [span for span in self.items if span]
        return above[-1] if above else self.lead if self.items else None

    def _lead_in(self) -> tuple[int, int] | None:
        """The paragraph ending in a colon that a list follows, as the parent line of its items."""
        block = self.blocks[-1] if self.blocks else None
        if block is None or block.kind not in ("paragraph", "item"):
            return None
        if block.kind == "item":
            return self.lead  # a list right after another, as where the bullets change
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


def inline_text(markdown: str) -> str:
    """Plain text of inline Markdown: no marks, links or tags, code spans byte for byte, one line.

    >>> inline_text("### [Beta] *torch.compile* and `torch._dynamo.mark_dynamic` ([#1](https://x.y))")
    '[Beta] torch.compile and torch._dynamo.mark_dynamic (#1)'
    """
    text = re.sub(r"^\s{0,3}(?:#{1,6}\s+|[-*+•]\s+|\d+[.)]\s+|>\s?)", "", markdown.strip())
    parts: list[str] = []
    position = 0
    for code in _FENCE.finditer(text):
        parts.append(_without_marks(text[position : code.start()]))
        parts.append(code[2].strip())
        position = code.end()
    parts.append(_without_marks(text[position:]))
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def unescape(markdown: str) -> str:
    r"""Take back Markdown's escapes of underscores and stars, so that names stand byte for byte.

    >>> unescape(r"sdp\_kernel, `a\_b`")
    'sdp_kernel, `a\\_b`'
    """
    parts: list[str] = []
    position = 0
    for code in _CODE_SPAN_OR_FENCE.finditer(markdown):
        parts += [_ESCAPED_NAME.sub(r"\1", markdown[position : code.start()]), code[0]]
        position = code.end()
    return "".join(parts) + _ESCAPED_NAME.sub(r"\1", markdown[position:])


def reading_text(markdown: str) -> str:
    r"""Markdown as it reads aloud: link targets, tags and lists of pull requests left out, lines kept.

    >>> reading_text("See [the *docs*](https://x.y/z), fixed (#1234, #5678).\n<b>Use</b> `a_b`")
    'See the docs, fixed.\nUse `a_b`'
    """
    text = _PULL_REQUESTS.sub("", markdown)
    parts: list[str] = []
    position = 0
    for code in _CODE_SPAN_OR_FENCE.finditer(text):
        parts.append(_without_marks(text[position : code.start()]))
        parts.append(code[0])
        position = code.end()
    parts.append(_without_marks(text[position:]))
    return re.sub(r"[ \t]+\n", "\n", "".join(parts)).strip()


def _without_marks(text: str) -> str:
    text = _IMAGE.sub(r"\1", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _TAG.sub("", text)
    text = _STRONG.sub(r"\1", text)
    text = _STAR.sub(r"\1", text)
    text = _UNDERSCORE.sub(r"\1", text)
    return _ESCAPE.sub(r"\1", text)


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")

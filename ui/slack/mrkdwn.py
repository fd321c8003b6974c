"""Conversion of an answer's Markdown to Slack's mrkdwn.

`&`, `<` and `>` in documents are escaped, so that no text becomes a mention or a link, and only http(s) links
are kept. mrkdwn has no escape for its own syntax: names that contain it, such as `*args` or `__init__`, are
shown as code, byte for byte. See https://docs.slack.dev/messaging/formatting-message-text
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ui.shared.markdown import bold_line, is_web, other_place
from ui.slack.bold import bold_words
from ui.slack.width import table_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_APART = "\u200b"  # zero-width space: syntax is recognised only next to spaces, which Chinese does not have
_RUN = re.compile(r"[A-Za-z0-9_*~.]+")
_CODE = re.compile(r"(`[^`\n]+`)")
_ABOUT = re.compile(r"~[0-9][0-9.]*[A-Za-z]*")  # "~2x" is a number
_BULLETS = ("•", "◦", "▪")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a message that is kept together if possible.

    Attributes:
        text: mrkdwn; for code without the fence.
        code: whether it is a code block.
        tight: whether it follows the previous piece without an empty line.
    """

    text: str
    code: bool = False
    tight: bool = False


def pieces(markdown: str) -> list[Piece]:
    """Convert the blocks of a Markdown text; list items are separate pieces.

    Args:
        markdown: Markdown text.
    """
    from markdown_it.tree import SyntaxTreeNode

    return list(_blocks(SyntaxTreeNode(_parser().parse(markdown)).children))


def joined(parts: Sequence[Piece]) -> str:
    """Join pieces to one text.

    Args:
        parts: pieces in order.
    """
    text = ""
    for part in parts:
        text += ("\n" if part.tight else "\n\n") if text else ""
        text += fenced(part.text) if part.code else part.text
    return text


def fenced(code: str) -> str:
    """Return code in a fence.

    Args:
        code: escaped code.
    """
    return f"```\n{code}\n```"


def escape(text: str) -> str:
    """Escape a text, and remove control characters.

    Args:
        text: plain text.
    """
    shown = "".join(c for c in text if c.isprintable() or c in "\n\t" or c == _APART)
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plain(text: str) -> str:
    """Escape a text, and show names that contain mrkdwn syntax as code; existing code spans are kept.

    Args:
        text: plain text.

    >>> plain("see *args, `*rest`, torch._dynamo and ~2x")
    'see `*args`, `*rest`, torch._dynamo and ~2x'
    """
    shown = ""
    for part in filter(None, _CODE.split(text)):
        part = escape(part if _CODE.fullmatch(part) else _RUN.sub(_guarded, part))
        shown += _APART + part if _touches(shown, part) else part
    return _unfenced(shown)


def code_text(text: str) -> str:
    """Escape a text for a fence, so that it cannot end the fence.

    Args:
        text: source code.
    """
    return _unfenced(escape(text))


def link(url: str, words: str) -> str:
    """A link with words that are escaped already; the words alone where the address is none of the web.

    Words that name another place do not hide where the link leads: that follows them.

    Args:
        url: address.
        words: text of the link, escaped.
    """
    if not is_web(url):
        return words
    for character, code in (("|", "%7C"), ("<", "%3C"), (">", "%3E"), ("`", "%60")):
        url = url.replace(character, code)
    label = words.replace("|", "¦").replace("\n", " ").replace("`", "")
    place = other_place(words, url)
    told = f" ({escape(place)})" if place else ""
    return f"<{url.replace('&', '&amp;')}|{label}>{told}" if label.strip() else words


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
    parser.disable(["image", "emphasis"])  # as on the page: other stars belong to names
    parser.inline.ruler.before("link", "title", bold_line)
    parser.inline.ruler.before("title", "bold", bold_words)
    return parser


def _blocks(nodes: Sequence[SyntaxTreeNode], depth: int = 0, *, quoted: bool = False) -> Iterator[Piece]:
    end = -1  # line after the previous node
    for node in nodes:
        begins, ends = node.map or (0, 0)
        follows, end = begins == end, ends
        if node.type in ("bullet_list", "ordered_list"):
            yield from _list(node, depth, follows)
        elif node.type == "blockquote" and (depth or quoted):  # a quote mark must start a line
            yield from _blocks(node.children, depth, quoted=True)
        elif node.type == "blockquote":
            for piece in _blocks(node.children, depth, quoted=True):
                text = fenced(piece.text) if piece.code else piece.text
                yield replace(piece, code=False, text="\n".join(f"> {line}" for line in text.split("\n")))
        elif node.type in ("fence", "code_block"):
            yield Piece(code_text(node.content.rstrip("\n")), code=True)
        elif node.type == "table":
            rows = [[_cell(cell) for cell in row.children] for part in node.children for row in part.children]
            yield Piece(code_text(table_text(rows)), code=True)
        elif node.type == "hr":
            yield Piece("———")
        elif node.type == "heading":
            yield Piece(f"*{_inline(node).replace('*', '')}*")
        elif text := _inline(node):
            yield Piece(text)


def _list(node: SyntaxTreeNode, depth: int, follows: bool) -> Iterator[Piece]:
    """Yield the items of a list; the first one is tight if the list directly follows a line."""
    number = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
    indent = "    " * depth
    for place, item in enumerate(node.children):
        mark = f"{number + place}." if node.type == "ordered_list" else _BULLETS[min(depth, 2)]
        first = True
        for piece in _blocks(item.children, depth + 1):
            nested = piece.text.startswith(f"{indent}    ")
            if not piece.code and not nested:
                lead = f"{indent}{mark} " if first else f"{indent}   "
                piece = replace(piece, text=lead + piece.text.replace("\n", f"\n{indent}   "))
            yield replace(piece, tight=follows or not first or place > 0 or depth > 0)
            first = False


def _cell(node: SyntaxTreeNode) -> str:
    """Return the text of a table cell."""
    parts = []
    for each in node.walk():
        if each.type in ("text", "code_inline"):
            parts.append(each.content)
        elif each.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)


def _inline(node: SyntaxTreeNode) -> str:
    text = ""
    for each in node.children:
        if each.type == "text":
            part = plain(each.content)
        elif each.type == "code_inline":
            part = f"`{escape(each.content.replace('`', 'ˋ'))}`"
        elif each.type in ("softbreak", "hardbreak"):
            part = "\n"
        elif each.type == "link":
            part = link(str(each.attrs.get("href", "")), _inline(each))
        elif each.type == "strong":
            part = _bold(_inline(each))
        else:
            part = _inline(each) if each.children else plain(each.content)
        text += _APART + part if _touches(text, part) else part
    return _unfenced(text)


def _bold(text: str) -> str:
    """Return words in bold, whose own stars would end it; code, which has none, keeps its own."""
    bare = text.strip()
    return f"*{bare}*" if bare and "*" not in bare and "\n" not in bare else text


def _unfenced(text: str) -> str:
    """Prevent a text from opening or closing a fence."""
    return re.sub("``(?=`)", f"``{_APART}", text)


def _touches(before: str, after: str) -> bool:
    """Return whether code or bold is next to a character where Slack would not recognise its marks."""
    if not before or not after:
        return False
    for mark, other in ((before[-1], after[0]), (after[0], before[-1])):
        if mark == "`" and other != "`" and not other.isascii():
            return True
        if mark == "*" and (other.isalnum() or not other.isascii()):
            return True
    return False


def _guarded(match: re.Match[str]) -> str:
    run = match[0]
    name = run.rstrip(".")
    marked = "*" in name or "~" in name or name[:1] == "_" or name[-1:] == "_"
    if not marked or _ABOUT.fullmatch(name) or not any(c.isalnum() for c in name):
        return run
    return f"`{name}`{run[len(name) :]}"

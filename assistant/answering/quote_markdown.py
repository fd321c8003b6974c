r"""Renders quotes as Markdown in which every mark [1] is a citation of the answer.

A document may contain marks and links of its own, and could thereby fake a citation. What looks like a mark
is escaped (`\[2\]`), and code spans and fences are closed. The citation itself keeps the quote verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest

from assistant.answer import Citation
from assistant.text.citation_marks import LIKE_A_MARK, replace_marks
from assistant.text.key_points import key_points
from assistant.text.markdown import _HEADING_ID, column_titles
from corpus.glossary import Glossary
from ingest.document import Language
from ingest.markup import inline_text, reading_text
from ingest.sentence import SentenceKind
from ingest.tables import _cells

_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
# CommonMark's code span: as many backticks after as before.
_CODE_SPAN = re.compile(r"(?<![\\`])(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", re.S)
_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})")
_LONE_TICK = re.compile(r"(?<!\\)`")
_REFERENCE = re.compile(r"(?<![\w)\]\\])\[(?P<text>[^\[\]]+)\]\[(?P<label>[^\[\]]*)\]")
_LONGEST_TITLE = 40  # characters; longer column titles are not prepended to their cells


def shown(citation: Citation, kind: SentenceKind, language: Language, glossary: Glossary) -> str:
    """Render a quote for an answer, without link targets, list marks and heading marks.

    Args:
        citation: citation of the quote.
        kind: kind of sentence that the quote is.
        language: language of the answer. A Chinese quote in an English answer is reduced to names and
            figures.
        glossary: English names of Chinese terms.
    """
    quote, document = citation.quote, citation.passage.document
    if kind == "code":
        return f"\n{_fenced(quote)}\n\n"
    if kind == "row":
        text = _row(document.text, citation.start, quote, "：" if document.language == "zh" else ": ")
    else:
        text = re.sub(r"\s*\n\s*", " ", _LIST_MARK.sub("", reading_text(_linked(quote, document.text))))
        text = _HEADING_ID.sub("", re.sub(r"^#{1,6}\s+", "", text))
    if language == "en" and document.language == "zh":
        return key_points(text, glossary) or text
    return text


def own_marks_only(text: str) -> str:
    r"""Escape everything in a line of Markdown that looks like a citation mark, and close its code spans.

    Indexing (`x.shape[1]`) is kept, because names must stay verbatim.

    Args:
        text: one line of Markdown.

    >>> own_marks_only("the docs[1], as in [2]; x.shape[1], `y[1]`, and a ` alone")
    'the docs\\[1\\], as in \\[2\\]; x.shape[1], `y[1]`, and a \\` alone'
    """

    def escaped(prose: str) -> str:
        return _LONE_TICK.sub(r"\\`", replace_marks(LIKE_A_MARK, r"\[{}\]".format, prose))

    return _outside_code(text, escaped)


def _linked(quote: str, text: str) -> str:
    """Replace reference links ("[the docs][1]") by their text, but not `x[1][2]` or "[ONNX][CPU]"."""

    def resolved(match: re.Match[str]) -> str:
        label = (match["label"] or match["text"]).strip()
        defined = re.search(rf"^ {{0,3}}\[{re.escape(label)}\]:", text, re.M | re.I)
        return match["text"] if defined or label.isdecimal() else match[0]

    return _outside_code(quote, lambda prose: _REFERENCE.sub(resolved, prose))


def _row(text: str, start: int, row: str, colon: str) -> str:
    """Render a table row, each cell with its column title."""
    pairs = zip_longest(_plain(_cells(row)), _plain(column_titles(text, start)), fillvalue="")
    return " · ".join(
        f"{title}{colon}{cell}" if title and title != cell and len(title) <= _LONGEST_TITLE else cell
        for cell, title in pairs
        if cell
    )


def _plain(cells: Sequence[str]) -> list[str]:
    return [inline_text(cell.replace(r"\|", "|")) for cell in cells]


def _fenced(code: str) -> str:
    """Return code in a closed fence, adding one if it has none."""
    opening = _FENCE.match(code)
    if opening is None:
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
        return f"{fence}\n{code}\n{fence}"
    last = code.rstrip().rpartition("\n")[2].strip()
    closed = len(last) >= len(opening["fence"]) and set(last) == {opening["fence"][0]}
    return code if closed and "\n" in code.strip() else f"{code.rstrip()}\n{opening['fence']}"


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Apply a function to the parts of a text outside code spans."""
    parts: list[str] = []
    position = 0
    for span in _CODE_SPAN.finditer(text):
        parts += [change(text[position : span.start()]), span[0]]
        position = span.end()
    return "".join([*parts, change(text[position:])])

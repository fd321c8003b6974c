"""Atoms: the smallest parts of a section that are not split between chunks.

Code fences, groups of table rows, list items and sentences are atoms; a heading belongs to the first atom of
its text. Only atoms over the token limit are broken: code between lines, prose between words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ingest.markup import Block
from ingest.section import Section
from ingest.segment import Segmenter
from ingest.sentence import split_prose

_MARK = r"(?:```+|~~~+)"
_FENCE_OPENS = re.compile(rf"[ \t]*(?:(?:[-*+>]|\d+[.)])[ \t]*)*{_MARK}[^\n]*(?:\n|\Z)")
_FENCE_CLOSES = re.compile(rf"[ \t>]*{_MARK}[ \t]*")
_CLAUSE_ENDS = frozenset("，；、。：！？,;\n")


@dataclass(frozen=True, slots=True)
class Atom:
    """A span that is not split any further.

    Attributes:
        start, end: span in the document's text.
        tokens: number of tokens of the text as it is embedded.
        whole: it consists of complete sentences, so the next chunk may repeat it.
        fence: start of the over-long code fence that it is a piece of, or -1. Pieces share a chunk only with
            pieces of the same fence: a span across a fence mark would contain half a fence.
    """

    start: int
    end: int
    tokens: int
    whole: bool
    fence: int = -1


class AtomCutter:
    """Splits sections of one text into atoms.

    Args:
        text: text of the document.
        count: returns the number of tokens of a text as it is embedded.
        segmenter: finds word boundaries.
        limit: maximum number of tokens in an atom.
    """

    def __init__(self, text: str, count: Callable[[str], int], segmenter: Segmenter, limit: int) -> None:
        self._text = text
        self._count = count
        self._segmenter = segmenter
        self._limit = limit

    def atoms(self, section: Section) -> Iterator[Atom]:
        """Yield the atoms of a section; between them are only white space and marks of over-long fences.

        Args:
            section: a section of the text.
        """
        position = section.start
        heading: Block | None = None
        for block in section.blocks:
            if heading is None:
                yield from self._loose(position, block.start)
            position = block.end
            if block.kind == "heading":
                heading = heading or block
                continue
            yield from self._block(block, heading.start if heading else block.start)
            heading = None
        if heading:
            yield from self._fit(heading.start, section.end, _lines(self._text, heading.start, section.end))
        else:
            yield from self._loose(position, section.end)

    def _loose(self, start: int, end: int) -> Iterator[Atom]:
        """Yield text between blocks (rules, link definitions), so that no word is lost."""
        if self._text[start:end].strip():
            yield from self._fit(start, end, _lines(self._text, start, end))

    def _block(self, block: Block, start: int) -> Iterator[Atom]:
        """Yield the atoms of a block, and of the headings and other text between `start` and the block."""
        if block.kind == "fence":
            tokens = self._count(self._text[start : block.end])
            if tokens <= self._limit:
                yield Atom(start, block.end, tokens, whole=False)
                return
            yield from self._loose(start, block.start)
            tokens = self._count(self._text[block.start : block.end])
            if tokens <= self._limit:
                yield Atom(block.start, block.end, tokens, whole=False)
            else:
                yield from self._long_fence(block)
            return
        cut = _lines if block.kind in ("table", "html") else _sentences
        pieces = list(cut(self._text, block.start, block.end))
        if start < block.start:
            first = (start, pieces[0][1])
            if self._count(self._text[slice(*first)]) <= self._limit:
                pieces[0] = first
            else:
                pieces = [*_lines(self._text, start, block.start), *pieces]
        yield from self._fit(start, block.end, pieces)

    def _fit(self, start: int, end: int, pieces: list[tuple[int, int]]) -> Iterator[Atom]:
        """Yield one atom if the span is short, else one per piece, breaking pieces over the limit."""
        start, end = _strip(self._text, start, end)
        tokens = self._count(self._text[start:end])
        if tokens <= self._limit // 2:
            yield Atom(start, end, tokens, whole=True)
            return
        for first, last in pieces:
            tokens = self._count(self._text[first:last])
            if tokens <= self._limit:
                yield Atom(first, last, tokens, whole=True)
            else:
                yield from self._break(first, last)

    def _break(self, start: int, end: int, fence: int = -1) -> Iterator[Atom]:
        """Break an over-long span near its middle, after a clause or else between words, until it fits."""
        start, end = _strip(self._text, start, end)
        tokens = self._count(self._text[start:end])
        if tokens <= self._limit or end - start <= 1:
            if end > start:
                yield Atom(start, end, tokens, whole=False, fence=fence)
            return
        words = self._segmenter.words(self._text[start:end])
        middle = (end - start) // 2
        # A single name longer than the limit has to be cut.
        cuts = list(accumulate(map(len, words)))[:-1] or [middle]

        def cost(cut: int) -> tuple[bool, int]:
            distance = abs(cut - middle)
            after_clause = self._text[start + cut - 1] in _CLAUSE_ENDS and distance <= middle // 2
            return not after_clause, distance

        cut = start + min(cuts, key=cost)
        yield from self._break(start, cut, fence)
        yield from self._break(cut, end, fence)

    def _long_fence(self, block: Block) -> Iterator[Atom]:
        """Yield the lines of an over-long fence without its marks, so that no chunk contains half a fence."""
        start, end = block.start, block.end
        opening = _FENCE_OPENS.match(self._text, start, end)
        if opening:
            start = opening.end()
            closing = max(self._text.rfind("\n", start, end) + 1, start)
            if _FENCE_CLOSES.fullmatch(self._text, closing, end):
                end = closing
            if not self._text[start:end].strip():  # all its words stand beside the opening mark
                start, end = block.start, block.end
        for first, last in _lines(self._text, start, end):
            yield from self._break(first, last, fence=block.start)


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    """Trim blank lines before, and white space after, a span; the indent of its first line is kept."""
    raw = text[start:end]
    end = start + len(raw.rstrip())
    indent = len(raw) - len(raw.lstrip())
    return min(max(raw.rfind("\n", 0, indent) + 1 + start, start), end), end


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the sentences, without trailing white space."""
    cuts = accumulate(map(len, split_prose(text[start:end])), initial=start)
    spans = [_strip(text, first, last) for first, last in pairwise(cuts)]
    return [(first, last) for first, last in spans if first < last]


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of the non-blank lines."""
    lines = text[start:end].split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=start)
    numbered = zip(starts, lines, strict=False)
    return [(first, first + len(line.rstrip())) for first, line in numbered if line.strip()]

"""Sentences: the smallest parts of a document that an answer can quote.

A sentence is a prose sentence, a list item, a table row, a code fence or a heading. Each is a span, so that
quotes match the document byte for byte.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from ingest.code_spans import code_spans
from ingest.html_prose import prose_spans
from ingest.language import HAN
from ingest.markup import Block, without_closing

SentenceKind = Literal["prose", "item", "row", "code", "heading"]

_CLOSERS = r"”’」』）)\"'*_`\]"
# A sentence ends at a Chinese full stop, or at a Latin one followed by white space and a capital, a Chinese
# character, code or a mark, so that 2.4, torch.compile, e.g., x.shape[1] and URL queries are not split.
_END = re.compile(
    rf"(?:[。！？]|[!?](?![A-Za-z0-9%&/=_]))[{_CLOSERS}]*(?!\))"
    rf"|(?<=[\w\d\])`*\"”’%_>+])\.[{_CLOSERS}]*(?=\s+[\"“‘(\[*_`#]*[A-Z0-9{HAN}]|\s+[(*_]*`\S|\s*\n\s*\n|\s*$|(?<=[.])[{HAN}])"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|al|Fig|No|Dr|Mr|Inc|approx)|\b[A-Z])\.$")
#: List items up to this length are quoted whole: the second sentence often completes the first.
WHOLE_ITEM = 420  # characters
_ABBREVIATION_LENGTH = 12  # characters, more than the longest abbreviation
_PARENTHESIS_REACH = 120  # characters; an unclosed parenthesis must not take the rest of a paragraph
_MARK = re.compile(r"`|\*\*|[(（)）]")
_PLAIN = {"（": "(", "）": ")"}
_TOLD = re.compile(rf"[.。！？!?](?:[{_CLOSERS}]|</\w+>)*\Z")
_CAPITAL = re.compile(r"\s+[A-Z]")
_ENTITY = re.compile(r"&#?\w+;")
_META = re.compile(r"^(?:Source|来源|Related|相关)[:：]")


class Sentence(NamedTuple):
    """A part of a document that can be quoted.

    A tuple rather than a dataclass: an index has thousands, and tuples are created several times faster.

    Attributes:
        start, end: span in the document's text.
        kind: type of the sentence.
    """

    start: int
    end: int
    kind: SentenceKind


def sentences_of(text: str, block: Block) -> Iterator[Sentence]:
    """Yield the sentences of a block, except for metadata lines such as "Source: ...".

    Args:
        text: text of the document.
        block: a block of the text.
    """
    match block.kind:
        case "fence":
            yield Sentence(block.start, block.end, "code")
        case "heading":
            title = without_closing(text[block.start : block.end])
            yield Sentence(block.start, block.start + len(title), "heading")
        case "table":
            rows = list(_lines(text, block.start, block.end))
            for number, (start, end) in enumerate(rows):
                # Neither the header row nor the delimiter row says anything by itself.
                if number and not re.fullmatch(r"[\s|:-]+", text[start:end]):
                    yield Sentence(start, end, "row")
        case "html":
            for start, end in prose_spans(text, block.start, block.end):
                yield from (s for s in _prose(text, start, end, "prose") if _is_told(text[s.start : s.end]))
        case "item":
            if block.end - block.start <= WHOLE_ITEM:
                if re.search(r"\w", text[block.start : block.end]):
                    yield Sentence(block.start, block.end, "item")
            else:
                yield from _prose(text, block.start, block.end, "item")
        case "paragraph" | "quote":
            if not _META.match(text[block.start : block.end]):
                yield from _prose(text, block.start, block.end, "prose")
            else:
                for start, end in _lines(text, block.start, block.end):
                    if not _META.match(text[start:end]):
                        yield from _prose(text, start, end, "prose")


def split_prose(text: str) -> list[str]:
    """Split prose into sentences; joined, they are the text again, white space with the sentence before it.

    Args:
        text: prose without block markup.
    """
    cuts, spans = [0], [(span.start, span.end) for span in code_spans(text)]
    marks = _Marks(text)
    for match in _END.finditer(text):
        before = text[max(match.end() - _ABBREVIATION_LENGTH, 0) : match.end()]
        if match[0].startswith(".") and _ABBREVIATION.search(before):
            continue
        end = match.end()
        for mark, begins in (("`", cuts[-1]), ("**", 0)):  # one that opens belongs to the next sentence
            if text.endswith(mark, cuts[-1], end) and marks.count(mark, begins, end) % 2:
                end -= len(mark)
        while end < len(text) and text[end].isspace():
            end += 1
        if not _open_span(text, marks, cuts[-1], end) and not _in_code(text, match, spans):
            cuts.append(end)
    if cuts[-1] < len(text):
        cuts.append(len(text))
    return [text[a:b] for a, b in pairwise(cuts)]


class _Marks:
    """Where the marks of a text are: counting them anew for each sentence would take a square of its length.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        found: dict[str, list[int]] = {"`": [], "**": [], "(": [], ")": []}
        for match in _MARK.finditer(text):
            found[_PLAIN.get(match[0], match[0])].append(match.start())
        self._found = found

    def count(self, mark: str, start: int, end: int) -> int:
        """Return how many there are in a span."""
        places = self._found[mark]
        return max(0, bisect_left(places, end - len(mark) + 1) - bisect_left(places, start))

    def last(self, mark: str, start: int, end: int) -> int:
        """Return the last place in a span, -1 if there is none."""
        places = self._found[mark]
        before = bisect_left(places, end)
        return places[before - 1] if before and places[before - 1] >= start else -1


def _open_span(text: str, marks: _Marks, start: int, end: int) -> bool:
    """Return whether a cut at `end` would be inside a code span, or a parenthesis that closes soon."""
    if marks.count("`", start, end) % 2 and marks.count("`", end, len(text)):
        return True  # an unclosed backtick is not a code span
    opened, closed = marks.last("(", start, end), marks.last(")", start, end)
    tail = text[end : end + _PARENTHESIS_REACH]
    return opened > closed and re.match(r"[^(（]*[)）]", tail) is not None


def _in_code(text: str, mark: re.Match[str], spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a mark is inside a code span that no new sentence follows.

    "warns: `X is deprecated.` Use Y" is two sentences; "the message `X is deprecated.` appears" is one.
    """
    place = bisect_left(spans, (mark.start(),)) - 1  # the last span that opens before the mark
    stop = spans[place][1] if place >= 0 else 0
    if mark.start() >= stop:
        return False
    return mark.end() < stop or (stop < len(text) and not _CAPITAL.match(text, stop))


def _prose(text: str, start: int, end: int, kind: SentenceKind) -> Iterator[Sentence]:
    position = start
    for piece in split_prose(text[start:end]):
        stripped = piece.strip()
        if re.search(r"\w", stripped):
            first = position + piece.index(stripped)
            yield Sentence(first, first + len(stripped), kind)
        position += len(piece)


def _is_told(html: str) -> bool:
    """Return whether a piece of HTML ends like a sentence and contains no entity."""
    return _TOLD.search(html) is not None and _ENTITY.search(html) is None


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    position = start
    for line in text[start:end].split("\n"):
        if line.strip():
            yield position, position + len(line)
        position += len(line) + 1

"""A language model's draft, cut into statements, each with the marks that it claims as its proof.

A mark is [1], [1, 2], [1][2] or 【1】 in prose. What stands in code is none: `x.shape[1]` cites nothing.
A sentence without a mark is covered by the next one of its paragraph: models often mark a paragraph once. One
that no mark covers is tried on every passage (verify.py): small models forget marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ingest.code_spans import outside_code
from ingest.sentence import split_prose

StatementKind = Literal["sentence", "code", "heading"]

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S | re.I)
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_BULLET = re.compile(r"^[ \t]*(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+|\d{1,2}、(?!\d)[ \t]*)")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+|^[ \t]*\*\*[^*]{1,120}\*\*[:：]?[ \t]*$")
_RULE = re.compile(r"^[\s|:=*_-]+$")
# The index of a name (x.shape[1], a[0]) is none, nor is what follows a bracket ("[docs][1]" is no link here).
# Each character of it can be read in one way only: a line of underscores is read once.
_NAME = (
    r"(?<![A-Za-z0-9_.])(?:[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)+"
    r"|[A-Za-z_](?=[A-Za-z0-9]*_[A-Za-z0-9_])[A-Za-z0-9_]+|[A-Za-z])"
)
#: A mark, `numbers` being what it points at; with a `name` before it an index of that name.
MARK = re.compile(
    rf"(?P<name>{_NAME})?[\[【［](?P<numbers>\s*(?:[-^]\s*)?\d{{1,4}}(?:\s*[-–~,，、;；]\s*\d{{1,4}})*\s*)[\]】］](?!\()"
)
_RANGE = re.compile(r"(-?\d+)(?:\s*[-–~]\s*(\d+))?")
_LONGEST_RANGE = 50


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a draft, a heading, or a piece of code.

    Attributes:
        text: without its marks; code with its fence.
        marks: the passages it points at, as written, from 1; out of range where the model was.
        paragraph: number of its paragraph, from 0.
        bullet: whether its paragraph is a list item.
        complete: False for what a draft that was cut ends in.
    """

    text: str
    marks: tuple[int, ...]
    kind: StatementKind = "sentence"
    paragraph: int = 0
    bullet: bool = False
    complete: bool = True


def statements(draft: str, *, whole: bool = True) -> list[Statement]:
    """The statements of a draft in order.

    Args:
        draft: Markdown; what a model thinks aloud (`<think>`) is left out.
        whole: False while it is being written, or was cut: its last sentence may go on.
    """
    out: list[Statement] = []
    for number, (kind, text, bullet) in enumerate(_paragraphs(_THINKING.sub("", draft))):
        if kind == "sentence":
            out += [replace(s, paragraph=number, bullet=bullet) for s in _sentences(text)]
        else:
            out.append(Statement(text, (), kind, number))
    if out and not whole:
        out[-1] = replace(out[-1], complete=False)
    return out


def without_marks(text: str) -> str:
    """A text without the marks in its prose."""
    return _cut_marks(text)[0]


def _paragraphs(draft: str) -> Iterator[tuple[StatementKind, str, bool]]:
    """Code, headings, list items and paragraphs, with whether each is a list item."""
    lines: list[str] = []
    bullet = False
    fence = ""

    def told() -> Iterator[tuple[StatementKind, str, bool]]:
        if lines:
            yield "sentence", " ".join(lines), bullet
            lines.clear()

    code: list[str] = []
    for line in draft.splitlines():
        opening = _FENCE.match(line)
        if fence:
            code.append(line)
            if opening and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield "code", "\n".join(code), False
                code, fence = [], ""
        elif opening:
            yield from told()
            fence, code = opening[1], [line]
        elif not line.strip() or _RULE.match(line):
            yield from told()
            bullet = False
        elif _HEADING.match(line):
            yield from told()
            yield "heading", line.strip(), False
            bullet = False
        elif item := _BULLET.match(line):
            yield from told()
            bullet = True
            lines.append(line[item.end() :].strip())
        elif line.lstrip().startswith("|"):
            yield from told()
            yield "sentence", line.strip(), False
        else:
            lines.append(line.strip())
    if code:
        yield "code", "\n".join(code), False
    yield from told()


def _sentences(paragraph: str) -> list[Statement]:
    """The sentences of a paragraph, each with its own marks or those of the next that has some."""
    found: list[Statement] = []
    for piece in split_prose(paragraph):
        text, marks = _cut_marks(piece)
        if not re.search(r"\w", text):  # marks after the full stop belong to the sentence before
            if found and marks:
                found[-1] = replace(found[-1], marks=(*found[-1].marks, *marks))
            continue
        leading = _leading_marks(piece)
        if leading and found:
            found[-1] = replace(found[-1], marks=(*found[-1].marks, *leading))
            marks = marks[len(leading) :]
        found.append(Statement(text, tuple(marks)))
    covered: tuple[int, ...] = ()
    for place in range(len(found) - 1, -1, -1):
        covered = found[place].marks or covered
        found[place] = replace(found[place], marks=tuple(dict.fromkeys(covered)))
    return found


def _leading_marks(piece: str) -> list[int]:
    """The marks that a piece begins with: they stood after the full stop of the one before."""
    numbers: list[int] = []
    position = 0
    while match := MARK.match(piece, position):
        if match["name"]:
            break
        numbers += _numbers(match["numbers"])
        position = match.end()
        while position < len(piece) and piece[position].isspace():
            position += 1
    return numbers


def _cut_marks(piece: str) -> tuple[str, list[int]]:
    """A text without the marks of its prose, and their numbers."""
    numbers: list[int] = []

    def cut(match: re.Match[str]) -> str:
        if match["name"]:
            return match[0]
        numbers.extend(_numbers(match["numbers"]))
        return ""

    text = outside_code(piece, lambda prose: MARK.sub(cut, prose))
    text = re.sub(r"(?<![ \t])[ \t]+(?=[.,;:!?。，；：！？])", "", text)
    return re.sub(r"[ \t]{2,}", " ", text).strip(), numbers


def _numbers(written: str) -> list[int]:
    """The numbers of a mark; "2-4" is all from 2 to 4, "-1" is no passage."""
    text = written.replace("^", "").strip()
    if text.startswith("-"):
        return [-1]
    out: list[int] = []
    for match in _RANGE.finditer(text):
        first, last = int(match[1]), int(match[2] or match[1])
        out += range(first, min(last, first + _LONGEST_RANGE) + 1) if last > first else [first]
    return out


def joined(told: Sequence[tuple[Statement, str]]) -> str:
    """Statements with the text to show of each, in paragraphs and lists again."""
    out: list[str] = []
    last: Statement | None = None
    for statement, text in told:
        if last is not None and statement.paragraph == last.paragraph:
            out[-1] += f" {text}" if not text.startswith("\n") else text
        elif statement.bullet:
            item = f"- {text}"
            if last is not None and last.bullet:
                out[-1] += f"\n{item}"
            else:
                out.append(item)
        else:
            out.append(text)
        last = statement
    return "\n\n".join(out)

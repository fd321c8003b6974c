"""Splits a language model's draft into statements, each with the citation marks that cover it.

A mark is [1], [1, 2], [1][2] or 【1】 in prose; indexing in code, as in `x.shape[1]`, is none. Models often
mark a paragraph only once, so a sentence without a mark is covered by the next mark of its paragraph. Small
models forget marks, so a statement that no mark covers is checked against all passages (`verifier`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assistant.text.citation_marks import CLAIMED_MARK, mark_numbers, replace_marks
from ingest.code_spans import outside_code
from ingest.sentence import split_prose

StatementKind = Literal["sentence", "code", "heading"]

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S | re.I)
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_BULLET = re.compile(r"^[ \t]*(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+|\d{1,2}、(?!\d)[ \t]*)")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+|^[ \t]*\*\*[^*]{1,120}\*\*[:：]?[ \t]*$")
_RULE = re.compile(r"^[\s|:=*_-]+$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, heading or code block of a draft.

    Attributes:
        text: text without marks; a code block includes its fences.
        marks: numbers of the cited passages as the model wrote them, from 1, possibly out of range.
        kind: "sentence", "code" or "heading".
        paragraph: index of the paragraph, from 0.
        bullet: whether the paragraph is a list item.
        complete: False for the last statement of an unfinished draft.
    """

    text: str
    marks: tuple[int, ...]
    kind: StatementKind = "sentence"
    paragraph: int = 0
    bullet: bool = False
    complete: bool = True


def statements(draft: str, *, whole: bool = True) -> list[Statement]:
    """Split a draft into statements.

    Args:
        draft: Markdown. Reasoning within `<think>` tags is dropped.
        whole: False if the draft is still being written or was cut off, so that its last sentence may be
            incomplete.

    Returns:
        Statements in order.
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
    """Remove the citation marks from the prose of a text.

    Args:
        text: Markdown; code is left unchanged.
    """
    return _cut_marks(text)[0]


def _paragraphs(draft: str) -> Iterator[tuple[StatementKind, str, bool]]:
    """Yield the kind and text of each block, and whether it is a list item."""
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
    """Split a paragraph, covering each sentence by its own marks or else by the next ones."""
    found: list[Statement] = []
    for piece in split_prose(paragraph):
        text, marks = _cut_marks(piece)
        if not re.search(r"\w", text):  # marks after a full stop belong to the sentence before it
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
    """Return the marks at the start of a piece, which followed the full stop of the previous one."""
    numbers: list[int] = []
    position = 0
    while match := CLAIMED_MARK.match(piece, position):
        if match["name"]:
            break
        numbers += mark_numbers(match["numbers"])
        position = match.end()
        while position < len(piece) and piece[position].isspace():
            position += 1
    return numbers


def _cut_marks(piece: str) -> tuple[str, list[int]]:
    """Return a text without the marks in its prose, and their numbers."""
    numbers: list[int] = []

    def cut(written: str) -> str:
        numbers.extend(mark_numbers(written))
        return ""

    text = outside_code(piece, lambda prose: replace_marks(CLAIMED_MARK, cut, prose))
    text = re.sub(r"(?<![ \t])[ \t]+(?=[.,;:!?。，；：！？])", "", text)
    return re.sub(r"[ \t]{2,}", " ", text).strip(), numbers


def joined(told: Sequence[tuple[Statement, str]]) -> str:
    """Join statements into Markdown, restoring paragraphs and lists.

    Args:
        told: statements, each with the text to show for it.
    """
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

"""Splits a language model's draft into statements, each with the citation marks that cover it.

A mark is [1], [1, 2], [1][2] or 【1】 in prose; indexing in code, as in `x.shape[1]`, is none. Models often
mark a paragraph only once, so a sentence without a mark is covered by the next mark of its paragraph. Small
models forget marks, so a statement that no mark covers is checked against all passages (`verifier`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from assistant.text.citation_marks import CLAIMED_MARK, mark_numbers, replace_marks
from ingest.code_spans import outside_code
from ingest.sentence import split_prose

StatementKind = Literal["sentence", "code", "heading"]

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S | re.I)
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})")
_BULLET = re.compile(r"^(?P<indent>[ \t]*)(?P<sign>(?:[-*+•]|\d{1,2}[.)])[ \t]+|\d{1,2}、(?!\d)[ \t]*)")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+|^[ \t]*\*\*[^*]{1,120}\*\*[:：]?[ \t]*$")
_NAME_OPENS = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bcf\.)"
    r"(?:(?<=[\]】］]\.)\s+(?=\S)|(?<=[\w)`*%]\.)\s+(?=(?:\*\*)?[a-z]\w*(?:[._]\w|\()|\*\*[a-z]))"
)
_RULE = re.compile(r"^[\s|:=*_-]+$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, heading, table row or code block of a draft.

    Attributes:
        text: text without marks; a code block includes its fences, a table's header its delimiter row.
        marks: numbers of the cited passages as the model wrote them, from 1, possibly out of range.
        kind: "sentence", "code" or "heading", which includes the header of a table.
        paragraph: index of the paragraph, from 0.
        lead: list marker in front of the paragraph with its indentation, such as "- " or "  2. ", or "".
        complete: False for the last statement of an unfinished draft.
        titles: column titles of a table row.
    """

    text: str
    marks: tuple[int, ...]
    kind: StatementKind = "sentence"
    paragraph: int = 0
    lead: str = ""
    complete: bool = True
    titles: tuple[str, ...] = ()

    @property
    def row(self) -> bool:
        """Whether it is a row or the header of a table."""
        return self.text.startswith("|")

    @property
    def claim(self) -> str:
        """Text to verify: that of a table row says what each cell is."""
        if not self.row or self.kind == "heading":
            return self.text
        told = [
            f"{title}: {cell}" if title and place else cell
            for place, (title, cell) in enumerate(zip_longest(self.titles, _cells(self.text), fillvalue=""))
        ]
        return "; ".join(filter(None, told))


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
    for number, block in enumerate(_blocks(_THINKING.sub("", draft))):
        if block.kind == "sentence":
            out += [
                replace(s, paragraph=number, lead=block.lead, titles=block.titles)
                for s in _sentences(block.text, row=block.text.startswith("|"))
            ]
        else:
            out.append(Statement(block.text, (), block.kind, number))
    if out and not whole:
        out[-1] = replace(out[-1], complete=False)
    return out


def without_marks(text: str) -> str:
    """Remove the citation marks from the prose of a text.

    Args:
        text: Markdown; code is left unchanged.
    """
    return _cut_marks(text)[0]


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, list item, table row, heading or code block."""

    kind: StatementKind
    text: str
    lead: str = ""
    titles: tuple[str, ...] = ()


def _blocks(draft: str) -> Iterator[_Block]:
    lines: list[str] = []
    code: list[str] = []
    titles: tuple[str, ...] = ()
    lead = fence = ""

    def told() -> Iterator[_Block]:
        if lines:
            yield _Block("sentence", " ".join(lines), lead)
            lines.clear()

    every = draft.splitlines()
    for line, below in zip_longest(every, every[1:], fillvalue=""):
        opening = _FENCE.match(line)
        table = line.lstrip().startswith("|")
        titles = titles if table else ()
        if fence:
            code.append(line)
            if opening and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield _Block("code", "\n".join(code))
                code, fence = [], ""
        elif opening:
            yield from told()
            fence, code, lead = opening[1], [line], ""
        elif not line.strip() or _RULE.match(line):
            yield from told()
            lead = ""
        elif _HEADING.match(line):
            yield from told()
            yield _Block("heading", line.strip())
            lead = ""
        elif item := _BULLET.match(line):
            yield from told()
            lead = item["indent"].replace("\t", "    ") + item["sign"].strip().replace("•", "-") + " "
            lines.append(line[item.end() :].strip())
        elif table and not titles and below.lstrip().startswith("|") and _RULE.match(below):
            yield from told()
            titles, lead = tuple(_cells(line)), ""
            yield _Block("heading", f"{line.strip()}\n{'|---' * len(titles)}|")
        elif table:
            yield from told()
            yield _Block("sentence", line.strip(), "", titles)
        else:
            lines.append(line.strip())
    if code:
        yield _Block("code", "\n".join(code))
    yield from told()


def _cells(row: str) -> list[str]:
    """Return the cells of a table row."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _sentences(paragraph: str, *, row: bool) -> list[Statement]:
    """Split a paragraph that is no row, covering each sentence by its own marks or else the next ones."""
    found: list[Statement] = []
    for piece in [paragraph] if row else _pieces(paragraph):
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


def _pieces(paragraph: str) -> Iterator[str]:
    """Yield sentences, also those that open with a name in lower case, as those of documents rarely do."""
    for piece in split_prose(paragraph):
        start = 0
        for match in _NAME_OPENS.finditer(piece):
            if piece.count("`", start, match.start()) % 2 == 0:
                yield piece[start : match.end()]
                start = match.end()
        yield piece[start:]


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

    def without(prose: str) -> str:
        text = replace_marks(CLAIMED_MARK, cut, prose)
        text = re.sub(r"(?<![ \t])[ \t]+(?=[.,;:!?。，；：！？])", "", text)
        return re.sub(r"[ \t]{2,}", " ", text)

    return outside_code(piece, without).strip(), numbers


def joined(told: Sequence[tuple[Statement, str]]) -> str:
    """Join statements into Markdown, restoring paragraphs, lists, tables and headings.

    A heading or a table's header below which nothing is left is dropped, and so is the indentation of a list
    whose item above is.

    Args:
        told: statements, each with the text to show for it.
    """
    out: list[str] = []
    last: Statement | None = None
    indents: list[int] = []
    for place, (statement, text) in enumerate(told):
        below = told[place + 1][0] if place + 1 < len(told) else None
        if statement.kind == "heading" and not _heads(statement, below):
            continue
        if last is not None and statement.paragraph == last.paragraph:
            out[-1] += f" {text}" if not text.startswith("\n") else text
        else:
            bare = statement.lead.lstrip()
            indent = len(statement.lead) - len(bare)
            indents = [each for each in indents if each < indent] if bare else []
            shown = f"{' ' * indent * bool(indents)}{bare}{text}"
            indents += [indent] if bare else []
            tight = last is not None and (
                (bool(bare) and bool(last.lead))
                or (statement.row and last.row and statement.kind != "heading")
            )
            if tight:
                out[-1] += f"\n{shown}"
            else:
                out.append(shown)
        last = statement
    return "\n\n".join(out)


def _heads(heading: Statement, below: Statement | None) -> bool:
    """Check whether what follows a heading, or the header of a table, belongs to it."""
    if below is None or heading.row:
        return below is not None and below.row and below.kind != "heading"
    return below.kind != "heading" or below.row or _level(below) > _level(heading)


def _level(heading: Statement) -> int:
    """Return the level of a heading, 1 to 6, and 7 for a bold line."""
    return heading.text.count("#", 0, len(heading.text) - len(heading.text.lstrip("#"))) or 7

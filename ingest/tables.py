"""Conversion of tables to forms that can be searched and quoted.

The highlight tables of release posts have one status per column. Each column becomes a line, "Beta: this;
that". Other HTML tables become Markdown tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import pairwise

from ingest.markup import inline_text, parse_blocks
from ingest.status import status_of

Rows = list[list[str]]

_HTML_TABLE = re.compile(r"<table\b(?:(?!<table\b).)*?</table\s*>", re.I | re.S)
_BREAKS = ("br", "p", "li", "div")
_MOST_FIELDS = 100
_MOST_DIGITS = 4  # of a span; int() rejects numbers with thousands of digits
_TABLE_OPENS = re.compile(r"<table\b", re.I)
_DELIMITER = "|:->\t\r "  # what the row below the heads of a Markdown table consists of
_CELL_BAR = re.compile(r"(?<!\\)\|")


def flatten_tables(text: str) -> str:
    """Rewrite highlight tables as lines, and other HTML tables as Markdown tables.

    Args:
        text: a Markdown text.
    """
    if not _may_change(text):
        return text
    out: list[str] = []
    position = 0
    blocks = parse_blocks(text)
    for block in blocks:
        if block.start < position:
            continue
        end = block.end
        source = text[block.start : end]
        if block.kind == "html" and _TABLE_OPENS.search(source):
            # A blank line inside a table ends the HTML block but not the table.
            table = _HTML_TABLE.search(text, block.start)
            end = max(end, table.end()) if table else end
            source = text[block.start : end]
            if any(other.kind == "fence" and block.start < other.start < end for other in blocks):
                continue
        if block.kind == "table":
            rows = [_cells(line) for line in source.split("\n")]
            flat = _status_lines(rows[:1] + rows[2:])
        elif block.kind == "html" and _HTML_TABLE.search(source):
            flat = _HTML_TABLE.sub(lambda table: "\n\n" + _flatten_html(table[0]) + "\n\n", source).strip()
        else:
            continue
        if flat:
            out += [text[position : block.start], flat]
            position = end
    return "".join(out) + text[position:]


def _may_change(text: str) -> bool:
    """Return whether a text may have such a table; most have none, and parsing takes a tenth of indexing."""
    return bool(_TABLE_OPENS.search(text)) or any(
        "|" in head and "-" in below and not below.strip(_DELIMITER) and _are_statuses(_cells(head))
        for head, below in pairwise(text.split("\n"))
    )


def _are_statuses(cells: Sequence[str]) -> bool:
    return all(status_of(inline_text(cell)) for cell in cells)


def _flatten_html(table: str) -> str:
    # Spans create empty fields at almost no cost to the source, so their number is limited by its length.
    reader = _TableReader(most_empty=len(table))
    reader.feed(table)
    reader.end_cell()
    rows = [row for row in reader.rows if any(row)]
    return _status_lines(rows) or _markdown_table(rows, most_empty=len(table))


def _status_lines(rows: Rows) -> str:
    """Return a line "Beta: a; b" for each column if all headings are statuses, else ""."""
    if len(rows) < 2 or not _are_statuses(rows[0]):
        return ""
    heads = [inline_text(cell) for cell in rows[0]]
    lines = []
    for column, head in enumerate(heads):
        items = [inline_text(row[column]) for row in rows[1:] if column < len(row) and row[column].strip()]
        if items:
            lines.append(f"{head}: " + "; ".join(items))
    return "\n\n".join(lines)


def _markdown_table(rows: Rows, most_empty: int) -> str:
    """Return a Markdown table; short rows are padded unless that takes too many empty fields."""
    if not rows:
        return ""
    width = max(len(row) for row in rows)
    even = sum(width - len(row) for row in rows) <= most_empty
    lines = []
    for number, row in enumerate(rows):
        # In Markdown rows may be short, but the first must be as wide as the delimiter row.
        padding = [""] * (width - len(row)) if even or number == 0 else []
        lines.append("| " + " | ".join([cell.replace("|", "\\|") for cell in row] + padding) + " |")
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL_BAR.split(line.strip().removeprefix("|").removesuffix("|"))]


class _TableReader(HTMLParser):
    """Collects the text of each cell, inline code as Markdown; other fields of a span stay empty.

    Spans create at most `most_empty` empty fields; after that every cell takes a single field.
    """

    def __init__(self, most_empty: int) -> None:
        super().__init__()
        self.rows: Rows = []
        self._filled: dict[int, int] = {}  # column -> last row that a cell in it spans
        self._wide = 0  # additional columns that the last cell spans
        self._empty_left = most_empty
        self._text: list[str] = []  # pieces of the last cell; joining them once avoids quadratic time

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.end_cell()
            self._fill_right()
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.end_cell()
            self._fill_right()
            self._skip_filled()
            row = self.rows[-1]
            spans = dict(attrs)
            self._wide = min(_span(spans.get("colspan")) - 1, self._empty_left)
            self._empty_left -= self._wide
            last = len(self.rows) - 1 + _span(spans.get("rowspan")) - 1
            for column in range(len(row), len(row) + 1 + self._wide):
                self._filled[column] = last
            row.append("")
        elif tag == "code":
            self.handle_data("`")
        elif tag in _BREAKS:
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            self.handle_data("`")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self._text.append(data)

    def end_cell(self) -> None:
        """Store the text of the last cell."""
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] = re.sub(r"\s+", " ", "".join(self._text)).lstrip()
        self._text = []

    def _fill_right(self) -> None:
        """Add empty fields for the columns that the last cell spans."""
        if self.rows:
            self.rows[-1] += [""] * self._wide
        self._wide = 0

    def _skip_filled(self) -> None:
        """Add empty fields for cells of earlier rows that reach down to this one."""
        row, number = self.rows[-1], len(self.rows) - 1
        while self._empty_left > 0 and self._filled.get(len(row), -1) >= number:
            self._empty_left -= 1
            row.append("")


def _span(value: str | None) -> int:
    """Return the number of fields that a cell spans in one direction."""
    if not value or not value.isdecimal():
        return 1
    digits = value.lstrip("0")
    return _MOST_FIELDS if len(digits) > _MOST_DIGITS else min(int(digits or "1"), _MOST_FIELDS) or 1

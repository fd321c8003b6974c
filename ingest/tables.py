"""Tables in a form that can be searched and quoted.

The highlight tables of release posts hold one status a column: they become one line a column,
"Beta: this; that", which is what a reader asks for. Any other HTML table becomes a Markdown table.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from ingest.markup import inline_text, parse_blocks
from ingest.status import status_of

Rows = list[list[str]]

_HTML_TABLE = re.compile(r"<table\b(?:(?!<table\b).)*?</table\s*>", re.I | re.S)
_BREAKS = ("br", "p", "li", "div")
_MOST_FIELDS = 100
_TABLE_OPENS = re.compile(r"<table\b", re.I)
_CELL_BAR = re.compile(r"(?<!\\)\|")


def flatten_tables(text: str) -> str:
    """Rewrite the highlight tables of a Markdown text as lines, other HTML tables as Markdown tables."""
    out: list[str] = []
    position = 0
    blocks = parse_blocks(text)
    for block in blocks:
        if block.start < position:
            continue
        end = block.end
        source = text[block.start : end]
        if block.kind == "html" and _TABLE_OPENS.search(source):
            # A blank line inside a table ends the block, not the table.
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


def _flatten_html(table: str) -> str:
    reader = _TableReader()
    reader.feed(table)
    rows = [row for row in reader.rows if any(row)]
    return _status_lines(rows) or _markdown_table(rows)


def _status_lines(rows: Rows) -> str:
    """A line "Beta: a; b" for each column when every heading is a status, else none."""
    heads = [inline_text(cell) for cell in rows[0]] if rows else []
    if len(rows) < 2 or not all(status_of(head) for head in heads):
        return ""
    lines = []
    for column, head in enumerate(heads):
        items = [inline_text(row[column]) for row in rows[1:] if column < len(row) and row[column].strip()]
        if items:
            lines.append(f"{head}: " + "; ".join(items))
    return "\n\n".join(lines)


def _markdown_table(rows: Rows) -> str:
    if not rows:
        return ""
    width = max(len(row) for row in rows)
    padded = [[cell.replace("|", "\\|") for cell in row] + [""] * (width - len(row)) for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in padded]
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL_BAR.split(line.strip().removeprefix("|").removesuffix("|"))]


class _TableReader(HTMLParser):
    """Collects the text of each cell, inline code as Markdown; a cell over many fields fills the first."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: Rows = []
        self._below: dict[int, int] = {}  # column -> rows that a cell above still reaches down
        self._wide = 0  # further columns that the last cell fills

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            if self.rows:
                self._skip_fields(to_end=True)
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self._skip_fields()
            row = self.rows[-1]
            spans = dict(attrs)
            self._wide = _span(spans.get("colspan")) - 1
            for column in range(len(row), len(row) + 1 + self._wide):
                self._below[column] = _span(spans.get("rowspan")) - 1
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
            row = self.rows[-1]
            row[-1] = re.sub(r"\s+", " ", row[-1] + data).lstrip()

    def _skip_fields(self, *, to_end: bool = False) -> None:
        """Leave empty what the last cell fills to the right, and what cells above fill from there on."""
        row = self.rows[-1]
        row += [""] * self._wide
        self._wide = 0
        while self._below.get(len(row), 0) > 0 or (to_end and len(row) <= max(self._below, default=-1)):
            self._below[len(row)] = max(self._below.get(len(row), 0) - 1, 0)
            row.append("")


def _span(value: str | None) -> int:
    """How many fields a cell fills in one direction."""
    return min(int(value), _MOST_FIELDS) if value and value.isdecimal() and int(value) else 1

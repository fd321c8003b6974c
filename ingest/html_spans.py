"""A limit on the fields spanned by table cells: a few bytes can span thousands of fields.

trafilatura creates an element for each field that a cell fills, and counts the fields of the row before each.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.html import HtmlElement  # type: ignore[import-untyped]

MOST_FIELDS = 50_000  # per page; the time grows with the square of the fields in a row
_MOST_SPAN = 100  # trafilatura ignores higher values
_MOST_DIGITS = 4  # int() rejects numbers with thousands of digits


def bound_spans(tree: HtmlElement, most: int) -> None:
    """Remove the spans of cells that would fill too many additional fields.

    Args:
        tree: the page; modified in place.
        most: maximum number of additional fields for all cells together, at most `MOST_FIELDS`.
    """
    left = min(most, MOST_FIELDS)
    rows_left = Counter(next(row.iterancestors("table"), None) for row in tree.iter("tr"))
    for element in tree.iter("tr", "td", "th"):
        table = next(element.iterancestors("table"), None)
        if element.tag == "tr":
            rows_left[table] -= 1
            continue
        if "rowspan" not in element.attrib and "colspan" not in element.attrib:
            continue
        rows = min(_span(element.get("rowspan", "")), 1 + rows_left[table])
        fields = rows * _span(element.get("colspan", "")) - 1
        if fields > left:
            fields = 0
            element.attrib.pop("rowspan", None)
            element.attrib.pop("colspan", None)
        left -= fields
        for name in ("rowspan", "colspan"):
            if len(element.get(name, "")) > _MOST_DIGITS:
                element.set(name, str(_span(element.get(name))))


def _span(value: str) -> int:
    if not value.isdecimal():
        return 1
    digits = value.lstrip("0")
    return _MOST_SPAN if len(digits) > _MOST_DIGITS else min(int(digits or "1"), _MOST_SPAN) or 1

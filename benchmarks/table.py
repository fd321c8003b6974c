"""Tables of figures as Markdown, and figures as a reader wants them."""

from __future__ import annotations

import resource
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, its columns aligned for a reader of the plain text; the first to the left."""
    cells = [list(header), *map(list, rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]

    def line(row: Sequence[str]) -> str:
        first, *rest = (
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        return "| " + " | ".join([first, *rest]) + " |"

    rule = (
        "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    )
    return "\n".join([line(cells[0]), rule, *map(line, cells[1:])])


def side_by_side(names: Mapping[str, str], columns: Mapping[str, Mapping[str, str]]) -> str:
    """A table of a row a figure and a column a system; a figure that a system lacks is a dash.

    Args:
        names: what each row is called, by the key of its figure.
        columns: figures by key, by system.
    """
    rows = [[name, *(column.get(key, "–") for column in columns.values())] for key, name in names.items()]
    return markdown(["", *columns], rows)


def milliseconds(seconds: float) -> str:
    """Three digits of a time in milliseconds."""
    return f"{seconds * 1000:.3g}" if seconds < 0.9995 else f"{seconds * 1000:.0f}"


def megabytes(size: float) -> str:
    """Bytes in megabytes (10^6)."""
    return f"{size / 1e6:,.1f}" if size < 1e7 else f"{size / 1e6:,.0f}"


def percentile(values: Sequence[float], share: float) -> float:
    """The value that a share of the values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def peak_memory() -> int:
    """Most bytes that this process has had in memory."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def folder_bytes(folder: Path) -> int:
    """Size of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

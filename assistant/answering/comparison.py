"""Renders a comparison of releases as a Markdown table with one sentence per row."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.text.messages import COMPARISON_HEAD
from ingest.document import Language

Row = tuple[str, str, str]  # release, status, sentence with its citation mark


def table(rows: Sequence[Row], language: Language) -> str:
    r"""Render rows as a Markdown table, omitting release and status where they repeat.

    Args:
        rows: release, status and sentence of each row.
        language: language of the column titles.

    >>> print(table([("2.4", "Beta", "First | second. [1]"), ("2.4", "Beta", "Third. [2]")], "en"))
    | PyTorch | Status | What the notes say |
    |---|---|---|
    | 2.4 | Beta | First \| second. [1] |
    | | | Third. [2] |
    """
    lines = [_line(COMPARISON_HEAD[language]), "|---|---|---|"]
    above: tuple[str, str] = ("", "")
    for release, status, sentence in rows:
        same = (release, status) == above
        lines.append(_line(("", "", sentence) if same else (release, status, sentence)))
        above = (release, status)
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    shown = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return "|" + "|".join(f" {cell} " if cell else " " for cell in shown) + "|"

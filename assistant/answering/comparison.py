"""Renders a comparison of releases as a Markdown table with one sentence per row."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.retrieval.pick import Pick
from assistant.text.messages import COMPARISON_HEAD
from index.search.passage import Passage, ScoredSentence
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


def comparable(picks: Sequence[Pick]) -> bool:
    """Check whether picks are sentences of several releases, so that they fit a table.

    Args:
        picks: picks of an answer.
    """
    plain = all(sentence.span.kind not in ("code", "heading") for _, sentence in sentences_of(picks))
    return (
        plain
        and not any(pick.above for pick in picks)
        and len({pick.passage.version for pick in picks} - {""}) > 1
    )


def sentences_of(picks: Sequence[Pick]) -> list[tuple[Passage, ScoredSentence]]:
    """Return the sentences of picks in order, each with its passage.

    Args:
        picks: picks of an answer.
    """
    return [(pick.passage, sentence) for pick in picks for sentence in pick.sentences]


def _line(cells: Sequence[str]) -> str:
    shown = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return "|" + "|".join(f" {cell} " if cell else " " for cell in shown) + "|"

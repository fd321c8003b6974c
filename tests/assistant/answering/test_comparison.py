"""Comparisons: a table by release, every row proved."""

from __future__ import annotations

import pytest

from assistant.answering.comparison import table
from assistant.answering.compose import compose
from assistant.retrieval.pick import Pick
from corpus.glossary import load_glossary
from index.search.passage import Passage
from tests.assistant.passages import passage, question
from tests.assistant.rules import check_text


def test_what_a_row_shares_stands_once_and_bars_are_escaped() -> None:
    rows = [("2.4", "Beta", "a | b [1]"), ("2.4", "Beta", "c\nd [2]"), ("2.5", "", "e [3]")]
    assert table(rows, "zh").split("\n")[2:] == [
        "| 2.4 | Beta | a \\| b [1] |",
        "| | | c d [2] |",
        "| 2.5 | | e [3] |",
    ]


OLD = "## [Prototype] FSDP2\n\nFSDP2 shards each parameter. It is new.\n"
NEW = "## [Beta] FSDP2\n\nFSDP2 can ignore parameters.\n"
CODE = f"{NEW}\n```python\nx = 1\n```\n"


def told(text: str, *found: Passage) -> str:
    picks = [Pick(p, tuple(s for s in p.sentences if s.span.kind != "heading")) for p in found]
    out, citations = compose(question(text), picks, load_glossary())
    check_text(out, citations, "en")
    return out


@pytest.mark.parametrize("text", ["How does FSDP2 differ between 2.4 and 2.7?", "FSDP2 in 2.4 and in 2.7?"])
def test_a_comparison_of_releases_is_a_table_the_oldest_first(text: str) -> None:
    assert told(text, passage(NEW, "en-2.7"), passage(OLD, "en-2.4")).split("\n") == [
        "| PyTorch | Status | What the notes say |",
        "|---|---|---|",
        "| 2.4 | Prototype | FSDP2 shards each parameter. [1] |",
        "| | | It is new. [2] |",
        "| 2.7 | Beta | FSDP2 can ignore parameters. [3] |",
    ]


@pytest.mark.parametrize(
    "found",
    [
        pytest.param([passage(OLD, "en-2.4")], id="one release"),
        pytest.param([passage(OLD, "en-2.4"), passage(CODE, "en-2.7")], id="code"),
    ],
)
def test_what_a_table_cannot_hold_stands_below_its_headings(found: list[Passage]) -> None:
    assert "|---" not in told("How does FSDP2 differ between 2.4 and 2.7?", *found)

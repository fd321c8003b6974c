"""Hostile HTML tables are laid out in time and room that grow with their length, not with its square."""

from __future__ import annotations

import time

import pytest

from ingest.tables import flatten_tables

SECONDS = 3.0  # of the processor; each took longer before, or wrote far more than it read
TIMES = 8  # as long as its source, a flattened table is at most


@pytest.mark.parametrize(
    ("unit", "times", "end"),
    [
        ("<tr><td rowspan=1000 colspan=1000>a", 100, ""),
        ("<tr><td rowspan=1000 colspan=1000>a<td rowspan=9>b", 2_000, ""),
        ("<tr><td rowspan=1000>a", 3_000, ""),
        ("<tr><td>a", 3_000, "<tr>" + "<td>b" * 3_000),
        ("<br>a", 20_000, ""),
    ],
    ids=["staircase", "long staircase", "one wider each row", "one wide row", "many breaks in a cell"],
)
def test_a_table_is_flattened_in_bounded_time_and_room(unit: str, times: int, end: str) -> None:
    html = "<table><tr><td>first" + unit * times + end + "</table>"
    begun = time.thread_time()
    flat = flatten_tables(html)
    assert time.thread_time() - begun < SECONDS
    assert "first" in flat and flat.count("a") == times and flat.count("b") >= end.count("b")
    assert len(flat) < TIMES * len(html)


def test_a_cell_is_kept_where_its_spans_are_cut() -> None:
    html = "<table>" + "".join(f"<tr><td rowspan=100 colspan=100>cell{n}." for n in range(60)) + "</table>"
    flat = flatten_tables(html)
    assert [n for n in range(60) if f"cell{n}." not in flat] == []


@pytest.mark.parametrize("name", ["rowspan", "colspan"])
def test_a_span_of_thousands_of_digits_is_read(name: str) -> None:
    html = f"<table><tr><td {name}={'9' * 5_000}>a</td></tr><tr><td>b</td></tr></table>"
    flat = flatten_tables(html)
    assert "a" in flat and "b" in flat

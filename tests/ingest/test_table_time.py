"""Hostile HTML tables are laid out in time and room that grow with their length, not with its square."""

from __future__ import annotations

import time

import pytest

from ingest.html import html_to_markdown
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


@pytest.mark.parametrize("times", [100, 1_000])
def test_a_page_with_wide_and_high_cells_is_read_in_bounded_time_and_room(times: int) -> None:
    cells = "".join(f"<tr><td rowspan=1000 colspan=1000>cell{n}." for n in range(times))
    page = f"<h1>PyTorch 2.6</h1><table>{cells}</table>"
    html_to_markdown("<p>once, to load what reads pages</p>")
    begun = time.thread_time()
    _, text = html_to_markdown(page)
    assert time.thread_time() - begun < SECONDS
    assert [n for n in range(times) if f"cell{n}." not in text] == []
    # The least that each row is padded to is a hundred fields.
    assert len(text) < TIMES * len(page) + times * 100 * len(" | ")


def test_a_page_keeps_the_spans_of_an_ordinary_table() -> None:
    page = (
        "<h1>PyTorch 2.6</h1><table><tr><th>Python<th colspan=2>CUDA<tr><td rowspan=1000>3.12<td>12.4<td>12.6"
        "<tr><td>11.8<td>12.1</table>"
    )
    lines = html_to_markdown(page)[1].splitlines()
    assert [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")] == [
        ["Python", "CUDA", ""],
        ["---", "---", "---"],
        ["3.12", "12.4", "12.6"],
        ["", "11.8", "12.1"],
    ]


@pytest.mark.parametrize("name", ["rowspan", "colspan"])
def test_a_page_with_a_span_of_thousands_of_digits_is_read(name: str) -> None:
    page = "<h1>PyTorch 2.6</h1><table><tr><th>Python<th>CUDA<tr><td>3.12<td {}={}>12.4<tr><td>3.13</table>"
    read = html_to_markdown(page.format(name, "9" * 5_000))
    assert "12.4" in read[1] and read == html_to_markdown(page.format(name, 100))

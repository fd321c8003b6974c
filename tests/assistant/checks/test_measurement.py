from __future__ import annotations

import math

import pytest

from assistant.checks.measurement import Ratio, read
from tests.rows import each_row

SAID = """
/somewhere/torch/module.py: a warning that torch prints to the wrong stream
{"fact": "graphs", "value": 1}
{"equal": "compiled and eager", "difference": 1e-07, "limit": 1e-05}
{"not": "of the protocol"}
[1, 2]
{"ratio": "math over flash", "values": [2.0, 2.9, 2.7], "baseline_seconds": [0.06, 0.09, 0.08],
{"ratio": "math over flash", "values": [2.0, 2.9, 2.7], "baseline_seconds": [0.06, 0.09, 0.08], \
"candidate_seconds": [0.03, 0.031, 0.03], "threads": 1}
{"equal": "gradients", "difference": NaN, "limit": 0.1}
{"equal": "shapes", "difference": Infinity, "limit": 0.1}
{"fact": "cut off", "val"""


def test_what_a_program_says_is_read_between_lines_of_others() -> None:
    told = read(SAID)
    assert told.facts == {"graphs": 1}
    assert [comparison.holds for comparison in told.comparisons] == [True, False, False]
    assert math.isnan(told.comparisons[1].difference)
    ratio = told.ratios["math over flash"]
    assert (ratio.minimum, ratio.median, ratio.maximum) == (2.0, 2.7, 2.9)
    assert ratio.candidate_seconds == (0.03, 0.031, 0.03)
    assert told.missing == ("", "") and told.failed == ""


def test_what_is_missing_and_what_broke_off_are_read() -> None:
    assert read('{"missing": "g++", "why": "no compiler"}').missing == ("g++", "no compiler")
    assert read('{"failed": "TypeError: no"}').failed == "TypeError: no"


def test_nothing_said_is_nothing_told() -> None:
    told = read("")
    assert not told.facts and not told.comparisons and not told.ratios


@each_row(
    ("ratio", "suspect"),
    [
        pytest.param(Ratio("", (1.0,) * 5, (0.016,) * 5, (0.016,) * 5, 2), True, id="sigmoid-2-threads"),
        pytest.param(Ratio("", (2.0,) * 5, (0.016,) * 5, (0.008,) * 5, 2), True, id="tidy-2.000"),
        pytest.param(Ratio("", (0.667,) * 5, (0.008,) * 5, (0.012,) * 5, 2), True, id="tidy-0.667"),
        pytest.param(
            Ratio("", (1.9, 2.1, 2.0), (0.0079, 0.0081, 0.008), (0.0041,) * 3, 2), True, id="k-times-4-ms"
        ),
        pytest.param(Ratio("", (2.0,) * 5, threads=2), True, id="all-alike"),
        pytest.param(Ratio("", (1.97,) * 3, (0.008,) * 3, (0.004,) * 3, 1), False, id="one-thread"),
        pytest.param(
            Ratio("", (2.4, 2.5, 2.6), (0.0231, 0.0249, 0.0262), (0.0096,) * 3, 2), False, id="of-work"
        ),
        pytest.param(
            Ratio("", (4.0, 4.1, 3.9), (6e-5, 6e-5, 6e-5), (1.5e-5,) * 3, 2), False, id="microseconds"
        ),
    ],
)
def test_times_of_waiting_threads_are_told_from_those_of_work(ratio: Ratio, suspect: bool) -> None:
    assert ratio.suspect is suspect


@each_row(
    "line",
    [
        '{"fact": ["a"], "value": 1}',
        '{"fact": "a"}',
        '{"equal": "a", "difference": "much", "limit": null}',
        '{"ratio": {"a": 1}, "values": "fast"}',
        '{"ratio": "a", "values": [1], "threads": 1e400}',
        '{"ratio": "a", "values": 7}',
        '{"missing": "a"}',
        '{"fact": "a", "value": ' + "[" * 100_000,
        '{"fact": "a", "value": ' + "9" * 5000 + "}",
    ],
    ids="list,no value,no number,no text,infinite,one,no reason,nested,long".split(","),
)
def test_a_line_that_is_nearly_of_the_protocol_ends_nothing(line: str) -> None:
    told = read(f'{line}\n{{"fact": "last", "value": true}}')
    assert told.facts["last"] is True and not told.comparisons and not told.ratios

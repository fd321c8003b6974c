"""What a program tells may be anything: it comes out short, printable, finite and of its type, or not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from assistant.api_usage.snippet import snippet_of
from assistant.api_usage.snippet_run import run_snippet
from assistant.checks.machine import Machine
from assistant.checks.measurement import MOST, Measurements, read
from assistant.checks.registry import load_checks
from assistant.checks.trial import judge_outcome
from assistant.sandbox.reports import LONGEST, record, text_of, value_of, whole_of
from assistant.sandbox.run_limits import MB, Limits
from assistant.sandbox.runner import run
from tests.rows import each_row

MACHINE = Machine("Linux 6.1", "AMD EPYC", (), 2, 24 << 30, "3.11.7", "2.13.0+cpu")
ENDLESS = '{"fact": "deep", "value": ' + "[" * 50_000
HUGE = '{"fact": "huge", "value": ' + "9" * 5000 + "}"


@each_row(
    "text",
    [
        pytest.param(ENDLESS, id="deep"),
        pytest.param('{"a": ' * 9000 + "1" + "}" * 9000, id="deep-objects"),
        pytest.param("[" * 100_000, id="long-and-deep"),
        pytest.param(HUGE, id="more-digits-than-python-reads"),
        pytest.param('{"fact": "huge", "value": ' + "9" * 20 + "}", id="more-digits-than-64-bits"),
        pytest.param('{"fact": "a", "value": 1, "value": 2}', id="a-key-twice"),
        pytest.param(json.dumps({"fact": "x" * LONGEST, "value": 1}), id="long"),
        pytest.param('{"fact": "cut off", "val', id="cut-off"),
        pytest.param("[1, 2]", id="a-list"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_is_no_record_is_none(text: str) -> None:
    assert record(text) is None
    assert read(text) == Measurements({}, (), {})


@each_row(
    "line",
    [
        '{"fact": "speed", "value": Infinity}',
        '{"fact": "speed", "value": NaN}',
        '{"fact": "speed", "value": 1e999}',
        '{"fact": "speed", "value": [1]}',
        '{"fact": "speed", "value": null}',
        '{"fact": ["speed"], "value": 1}',
        '{"fact": "speed"}',
        '{"equal": "results", "difference": "none", "limit": 1}',
        '{"equal": "results", "difference": -1, "limit": 1}',
        '{"equal": "results", "difference": 1, "limit": Infinity}',
        '{"equal": "results", "difference": true, "limit": 1}',
        '{"equal": 1, "difference": 1, "limit": 1}',
        '{"ratio": "speed", "values": 1}',
        '{"ratio": "speed", "values": [1, NaN]}',
        '{"ratio": "speed", "values": [1, -1]}',
        '{"ratio": "speed", "values": [1], "threads": 1e9}',
        '{"ratio": "speed", "values": [1], "baseline_seconds": {"0": 1}}',
        '{"missing": {"a": 1}, "why": ""}',
        '{"failed": 1}',
        json.dumps({"ratio": "speed", "values": [1] * 1001}),
    ],
)
def test_what_makes_no_sense_counts_as_broken_off(line: str) -> None:
    told = read(f'{line}\n{{"fact": "kept", "value": 1}}')
    assert told.failed.startswith("the program told ") and "\n" not in told.failed
    assert told.facts == {"kept": 1}


def test_a_flood_ends_somewhere() -> None:
    lines = (json.dumps({"fact": f"{number}", "value": number}) for number in range(20_000))
    told = read("\n".join(lines))
    assert len(told.facts) == MOST
    assert told.failed == f"the program told more than {MOST} things"


def test_lines_of_others_are_no_flood() -> None:
    assert read('{"torch": "prints this"}\n' * 2000 + '{"fact": "kept", "value": 1}').facts == {"kept": 1}


@each_row(
    ("given", "shown"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\x1b[31mred\x07", "\ufffd[31mred\ufffd"),
        ("one\ntwo\r", "one\ufffdtwo\ufffd"),
        ("\u202eturned", "\ufffdturned"),
        ("宽\u3000空\xa0格", "宽\u3000空\xa0格"),
        ("x" * 501, "x" * 499 + "…"),
    ],
)
def test_text_can_be_shown_anywhere(given: str, shown: str) -> None:
    assert text_of(given) == shown
    shown.encode()


def test_lines_are_kept_where_they_may_be() -> None:
    assert text_of("one\n\ttwo\x1b", lines=True) == "one\n\ttwo\ufffd"


def test_values_keep_their_type() -> None:
    assert [value_of(each) for each in (True, 3, 0.5, "a")] == [True, 3, 0.5, "a"]
    assert value_of(True) is True
    with pytest.raises(ValueError, match="whole number from 0 to 9"):
        whole_of(10, 0, 9)


HOSTILE = r"""
import json, os, sys
print('{"fact": "deep", "value": ' + "[" * 100_000)
print('{"fact": "huge", "value": ' + "9" * 5000 + "}")
print('{"fact": "half \\ud800 a pair \\u001b[2J", "value": "\\udfff"}')
print('{"fact": "endless", "value": Infinity}')
print('{"fact": "twice", "value": 1, "value": 2}')
print('{"equal": "results", "difference": NaN, "limit": 1e-5}')
print('{"ratio": "speed", "values": [1e308, 1e999]}')
os.write(1, b'{"fact": "\xff\xfe", "value": "\xc3("}\n')
for number in range(5000): print(json.dumps({"fact": str(number), "value": "x" * 30}))
"""


def test_the_report_on_a_program_that_floods_it(tmp_path: Path) -> None:
    """All the way: it runs, it is judged, and the verdict can be written as strict JSON in UTF-8."""
    program = tmp_path / "program.py"
    program.write_text(HOSTILE, encoding="utf-8")
    outcome = run(program, limits=Limits(seconds=30, memory=400 * MB))
    verdict = judge_outcome(load_checks()[0], outcome, MACHINE)
    assert verdict.result == "not-confirmed"
    assert "the program told " in verdict.reasons[1]["en"]
    json.dumps(verdict.to_dict(), allow_nan=False, ensure_ascii=False).encode()
    assert verdict.measurements is not None and len(verdict.measurements.facts) <= MOST


def test_a_users_program_that_forges_what_is_told_of_it(tmp_path: Path) -> None:
    """It takes its mark from the command line of the run."""
    source = r"""
import os
command = open("/proc/self/cmdline", "rb").read().split(b"\0")
mark = next(part for part in command if part.startswith(b"\x1e"))
def tell(text): os.write(2, mark + text + mark)
def warn(message, category=b"W", line=b"1"):
    facts = (b"warning", message), (b"category", category), (b"file", b""), (b"code", b""), (b"by", b"")
    tell(b"{" + b"".join(b'"%s": "%s", ' % each for each in facts) + b'"line": ' + line + b"}")
tell(b'{"error": ' + b"[" * 60_000)
warn(b"half \\ud800", line=b"9" * 5000)
warn(b"half \\ud800", b"W\\n")
for number in range(500): warn(b"%d" % number)
tell(b'{"error": "E", "frames": ' + b"[" + b",".join([b'["f", 1, "c"]'] * 999) + b'], "outside": 1}')
"""
    if sys.platform != "linux":
        pytest.skip("the command line is read from /proc")
    ran = run_snippet(snippet_of(source.encode(), "program.py"), limits=Limits(seconds=30, memory=400 * MB))
    assert ran.outcome.ok, ran.outcome
    assert ran.warnings[0].message == "half \ufffd" and ran.warnings[0].category == "W\ufffd"
    assert len(ran.warnings) == 200
    assert ran.broke is not None and len(ran.broke.frames) == 20
    json.dumps(ran.to_dict(), allow_nan=False, ensure_ascii=False).encode()

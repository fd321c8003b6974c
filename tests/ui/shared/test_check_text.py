"""Verdicts as text: labels and counts in the punctuation of the language."""

from __future__ import annotations

from assistant.checks.machine import Machine
from assistant.checks.measurement import Measurements
from assistant.checks.registry import find_check
from assistant.checks.verdict import Verdict
from ui.shared.check_text import markdown, summary, told

MACHINE = Machine("Linux 6", "CPU", ("avx2",), 2, 2**34, "3.11.7", torch="2.13.0+cpu")
CONFIRMED = Verdict(find_check("sdpa-cpu"), "confirmed", (), Measurements({}, (), {}), MACHINE)
FAILED = Verdict(find_check("dtensor"), "failed", (), None, MACHINE)


def test_chinese_labels_have_a_chinese_colon() -> None:
    text = told(CONFIRMED, "zh")
    assert "判据：" in text and "局限：" in text and ": " not in text
    assert "rule: " in told(CONFIRMED, "en") and "does not show: " in told(CONFIRMED, "en")


def test_verdicts_are_counted_by_result() -> None:
    verdicts = [CONFIRMED, CONFIRMED, FAILED]
    assert summary(verdicts, "zh") == f"证实 2 项，运行失败 1 项\n机器：{MACHINE}"
    assert summary(verdicts, "en") == f"2 confirmed, 1 failed to run\nmachine: {MACHINE}"


def test_a_program_commands_no_terminal() -> None:
    """The reason of a failure is its last line of standard error."""
    said = "exit code 3: \x1b]52;c;ZXZpbA==\x07 | \u202eevil"
    verdict = Verdict(find_check("dtensor"), "failed", ({"en": said, "zh": said},), None, MACHINE)
    for text in (told(verdict, "en"), markdown([verdict], "en")):
        assert "]52;c;ZXZpbA==" in text and "\x07" not in text and "\u202e" not in text
    assert "\x1b" not in markdown([verdict], "en")

"""A check as HTML: all that a reader decides by, and what came of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.checks.check import Words
from assistant.checks.machine import Machine
from assistant.checks.measurement import Measurements, Ratio
from assistant.checks.registry import find_check
from assistant.checks.trial import unmet
from assistant.checks.verdict import RESULTS, Result, Verdict, judge
from assistant.sandbox.isolation import BUBBLEWRAP, NONE
from ingest.document import LANGUAGES, Language
from tests.rows import each_row
from ui.web.checks.check_html import consent_to_html, duration, verdict_to_html

MACHINE = Machine("Linux 6", "CPU <X>", ("avx2",), 2, 2**34, "3.11.7", torch="2.13.0+cpu")
SDPA = find_check("sdpa-cpu")
RATIO = Ratio("math over flash", (2.0, 3.0, 4.0), (0.02, 0.03, 0.04), (0.01, 0.01, 0.01))


@pytest.mark.parametrize("language", LANGUAGES)
def test_consent_shows_the_whole_program_and_what_it_may_use(language: Language) -> None:
    html = consent_to_html(SDPA, None, BUBBLEWRAP, "two <cores>", language)
    assert "scaled_dot_product_attention(" in html and "def interleaved(" in html, "its kit is shown as well"
    assert "&lt;cores&gt;" in html and "10" in html and "90" in html and "4 GB" in html
    assert SDPA.rule.words(language).split()[0] in html and "bubblewrap" in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_weaker_isolation_is_told_plainly(language: Language) -> None:
    html = consent_to_html(SDPA, None, NONE, "", language)
    assert all(what.partition("'")[0] in html for what in NONE.not_held(language)) and "tn-notice" in html


def test_what_is_missing_is_told_in_place_of_the_limits() -> None:
    cuda = find_check("cuda-sdpa")
    missing = unmet(cuda, MACHINE)
    assert missing is not None
    html = consent_to_html(cuda, missing, BUBBLEWRAP, str(MACHINE), "en")
    assert "This machine cannot check it" in html and "NVIDIA GPU" in html and "Takes about" not in html


@each_row("language", LANGUAGES)
@each_row("result", RESULTS)
def test_a_verdict_says_what_was_seen_and_where(result: Result, language: Language) -> None:
    told = Measurements({}, (), {RATIO.name: RATIO})
    _, reasons = judge(SDPA.rule, replace(told, comparisons=()))
    verdict = Verdict(SDPA, result, reasons, told, MACHINE, 4.2, "bubblewrap")
    html = verdict_to_html(verdict, language)
    assert f">{RESULTS[result][language]}<" in html and f"tn-{result}" in html
    assert "CPU &lt;X&gt;" in html and SDPA.claim[language].split()[0] in html and "bubblewrap" in html


def test_a_ratio_is_two_bars_named_by_what_is_compared() -> None:
    told = Measurements({}, (), {RATIO.name: RATIO})
    html = verdict_to_html(Verdict(SDPA, "confirmed", (), told, MACHINE), "en")
    assert ">math<" in html and ">flash<" in html and "math over flash: 3.00 [2.00-4.00] of 3" in html
    assert 'data-low="50.0" data-middle="75.0" data-high="100.0"' in html and "30 ms [20 ms-40 ms]" in html
    assert 'data-middle="25.0"' in html
    reason: Words = {"en": "math over flash: 3.00 [2.00-4.00], n=3; above", "zh": "快"}
    html = verdict_to_html(Verdict(SDPA, "confirmed", (reason,), told, MACHINE), "en")
    assert html.count("3.00 [2.00-4.00]") == 1, "a reason tells the numbers already"


@pytest.mark.parametrize(
    ("seconds", "text"), [(3.2, "3.2 s"), (0.25, "250 ms"), (0.0000123, "12.3 µs"), (2e-8, "20 ns")]
)
def test_durations_have_the_unit_that_fits(seconds: float, text: str) -> None:
    assert duration(seconds) == text

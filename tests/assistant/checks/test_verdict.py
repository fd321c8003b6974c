"""Verdicts on measurements that were really taken, the misleading ones among them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assistant.checks.machine import Machine
from assistant.checks.measurement import Comparison, Measurements, Ratio
from assistant.checks.registry import find_check
from assistant.checks.rule import RatioRule, Rule
from assistant.checks.trial import judge_outcome, limits_of, unmet
from assistant.checks.verdict import RESULTS, Result, judge
from assistant.sandbox.outcome import Ended, Outcome
from tests.rows import each_row

MACHINE = Machine("Linux 6.1", "AMD EPYC", ("avx2", "avx512f"), 2, 24 << 30, "3.11.7", "2.13.0+cpu")
AGREES = (Comparison("outputs", 1e-7, 1e-5),)


def ruled(confirm_min: float, refute_max: float = 1.0) -> Rule:
    return Rule({}, {}, {}, (RatioRule("speed", confirm_min, refute_max),))


def timed(*values: float, seconds: float = 0.0, threads: int = 1) -> Measurements:
    """Measurements whose results agree, with these ratios; seconds where they matter."""
    baseline = (seconds,) * len(values) if seconds else ()
    ratio = Ratio(
        "speed", values, baseline, tuple(b / v for b, v in zip(baseline, values, strict=False)), threads
    )
    return Measurements({}, AGREES, {"speed": ratio})


@each_row(
    ("told", "rule", "result"),
    [
        pytest.param(timed(2.0, 2.7, 2.9), ruled(1.3), "confirmed", id="sdpa-cpu"),
        pytest.param(timed(4.7, 4.8, 4.8), ruled(1.2), "confirmed", id="bf16-matmul"),
        pytest.param(timed(3.5, 3.6, 3.7), ruled(1.3, 1.0), "confirmed", id="flex-attention"),
        pytest.param(timed(1.29, 1.33, 1.34), ruled(1.05, 0.95), "confirmed", id="cpp-wrapper"),
        pytest.param(timed(0.89, 1.2, 1.87), ruled(1.5, 1.0), "inconclusive", id="fast-path-on-dense-input"),
        pytest.param(timed(0.99, 1.01, 1.38), ruled(1.1, 1.0), "inconclusive", id="gpt-block"),
        pytest.param(timed(0.68, 0.73, 0.74), ruled(1.1, 1.0), "not-confirmed", id="slower-each-time"),
        pytest.param(timed(0.5, 0.86, 1.3), ruled(1.1, 1.0), "inconclusive", id="sdpa-compiled-bf16"),
        pytest.param(timed(0.01, 0.02, 0.06), ruled(1.1), "not-confirmed", id="fp16-matmul-without-amx"),
        pytest.param(timed(0.06, 0.92, 1.7, threads=2), ruled(1.3), "inconclusive", id="x86-two-threads"),
        pytest.param(
            timed(1.0, 1.0, 1.0, seconds=0.016, threads=2), ruled(1.15, 1.1), "inconclusive", id="sigmoid-2T"
        ),
        pytest.param(
            timed(2.0, 2.0, 2.0, seconds=0.016, threads=2), ruled(1.15, 1.0), "inconclusive", id="tidy-2.000"
        ),
        pytest.param(
            timed(0.667, 0.667, 0.667, seconds=0.008, threads=2), ruled(1.15, 1.0), "inconclusive", id="0.667"
        ),
        pytest.param(timed(17.0), ruled(1.3, 1.0), "inconclusive", id="regional-in-one-process"),
        pytest.param(timed(3.3, 3.5), ruled(1.3, 1.0), "inconclusive", id="two-repeats"),
        pytest.param(timed(1.06, 1.05, 2.6), ruled(1.1), "inconclusive", id="sdpa-pattern"),
        pytest.param(timed(1.3, 1.5, 1.6), ruled(1.3), "inconclusive", id="on-the-edge-is-not-above"),
    ],
)
def test_ratios(told: Measurements, rule: Rule, result: Result) -> None:
    assert judge(rule, told)[0] == result


@pytest.mark.parametrize("difference", [0.2, float("nan"), float("inf")])
def test_a_wrong_result_is_not_confirmed_however_fast(difference: float) -> None:
    told = replace(timed(6.0, 6.1, 6.2), comparisons=(*AGREES, Comparison("gradients", difference, 0.1)))
    result, reasons = judge(ruled(1.3, 1.0), told)
    assert result == "not-confirmed"
    assert reasons[0]["en"].startswith("gradients differ") and "不一致" in reasons[0]["zh"]


def test_two_ratios_confirm_only_together() -> None:
    rule = Rule({}, {}, {}, (RatioRule("speed", 1.2, 1.0), RatioRule("other", 1.2, 1.0)))
    fast = timed(2.4, 2.5, 2.7)
    for other, result in (
        (Ratio("other", (0.9, 1.1, 1.3)), "inconclusive"),
        (Ratio("other", (0.5,) * 3), "not-confirmed"),
    ):
        assert judge(rule, replace(fast, ratios={**fast.ratios, "other": other}))[0] == result


@each_row(
    ("facts", "result"),
    [
        pytest.param({"graphs": 1, "blocks": 2, "calls": 0}, "confirmed", id="as-claimed"),
        pytest.param({"graphs": 2, "blocks": 2, "calls": 0}, "not-confirmed", id="not-equal"),
        pytest.param({"graphs": 1, "blocks": 0, "calls": 0}, "not-confirmed", id="too-few"),
        pytest.param({"graphs": 1, "blocks": "many", "calls": 0}, "not-confirmed", id="no-number"),
        pytest.param({"graphs": 1, "blocks": 2, "calls": 3}, "not-confirmed", id="too-many"),
        pytest.param({"graphs": 1, "blocks": 2}, "failed", id="not-told"),
    ],
)
def test_facts(facts: dict[str, int], result: Result) -> None:
    rule = Rule({"graphs": 1}, {"blocks": 1}, {"calls": 0}, ())
    assert judge(rule, Measurements(facts, (), {}))[0] == result


def test_saying_nothing_confirms_nothing() -> None:
    assert judge(Rule({}, {}, {}, ()), Measurements({}, (), {}))[0] == "failed"


def test_speed_without_a_comparison_confirms_nothing() -> None:
    result, reasons = judge(ruled(1.3, 1.0), replace(timed(6.0, 6.1, 6.2), comparisons=()))
    assert result == "failed" and "whether the results agree" in reasons[0]["en"]


def test_a_slower_run_of_another_kind_does_not_touch_a_claim_about_structure() -> None:
    """Compiled bfloat16 was slower than eager, as weights were cast anew: the check does not ask for that."""
    check = find_check("bf16-symbolic")
    facts = {"graphs for three lengths": 1, "computed in bfloat16": True}
    told = Measurements(facts, AGREES, {"speed": Ratio("speed", (0.68, 0.73, 0.74))})
    assert judge(check.rule, told)[0] == "confirmed"


@pytest.mark.parametrize(
    "id_", ["fp16-cpu", "max-autotune-cpu", "aoti-freezing", "tcpstore-libuv", "sdpa-pattern"]
)
def test_what_was_measured_unstable_is_no_rule(id_: str) -> None:
    assert not find_check(id_).rule.ratios


def test_a_cold_start_is_measured_in_processes_of_their_own() -> None:
    """In one process the second variant finds what the first compiled: 17 times faster, and not true."""
    code = find_check("regional-compilation").code
    assert "kit.child(" in code and "TORCHINDUCTOR_CACHE_DIR=" in code


def outcome(
    stdout: str, ended: Ended = "finished", exit_code: int | None = 0, reason: str = "finished"
) -> Outcome:
    return Outcome(ended, reason, stdout, "", exit_code, None, 2.5, 2.0, None, "none")


def test_a_run_that_is_over_is_judged() -> None:
    said = '{"equal": "x", "difference": 0, "limit": 0}\n'
    said += '{"fact": "kernel for FLASH_ATTENTION", "value": "flash"}\n'
    said += '{"fact": "kernel for MATH", "value": "math"}\n'
    said += '{"ratio": "math over flash", "values": [2.0, 2.7, 2.9]}\n'
    verdict = judge_outcome(find_check("sdpa-cpu"), outcome(said), MACHINE)
    assert verdict.result == "confirmed" and verdict.seconds == 2.5
    told = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert told["ratios"][0]["median"] == 2.7 and told["machine"]["cpu"] == "AMD EPYC"
    assert "1.3" in told["rule"]["zh"] and told["limits"]["en"]
    assert told["torch"] == "2.13.0+cpu" and told["isolation"] == "none"


def test_a_claim_that_compares_releases_says_that_one_side_was_seen() -> None:
    check = find_check("sdpa-cpu")
    verdict = judge_outcome(check, outcome('{"equal": "x", "difference": 1, "limit": 0}'), MACHINE)
    assert check.kind == "previous-release" and verdict.result == "not-confirmed" and verdict.beyond
    assert verdict.beyond["en"].endswith("two releases; only one side was seen, torch 2.13.0+cpu")
    assert "只看到一边" in verdict.beyond["zh"] and verdict.to_dict()["beyond"] == verdict.beyond
    as_stated = judge_outcome(find_check("weights-only"), outcome(""), MACHINE)
    assert as_stated.beyond is None


@each_row(
    ("over", "result", "reason"),
    [
        pytest.param(
            outcome("", "timed-out", None, "ended after 90 s"), "failed", "ended after 90 s", id="time"
        ),
        pytest.param(outcome("", "memory", 1, "asked for more memory"), "failed", "more memory", id="memory"),
        pytest.param(outcome("", exit_code=1, reason="exit code 1: boom"), "failed", "boom", id="exit-code"),
        pytest.param(
            outcome('{"failed": "TypeError: no"}', exit_code=1), "failed", "TypeError: no", id="error"
        ),
        pytest.param(
            outcome('{"failed": "RuntimeError: Dynamo is not supported"}', exit_code=1),
            "not-confirmed",
            "torch refuses it: RuntimeError: Dynamo is not supported",
            id="refused-by-torch",
        ),
        pytest.param(
            outcome('{"equal": "flash", "difference": 1, "limit": 0}', "timed-out", None, "ended after 90 s"),
            "not-confirmed",
            "flash differ: 1 > 0",
            id="wrong-before-it-ended",
        ),
        pytest.param(
            outcome(
                '{"fact": "kernel for MATH", "value": "flash"}\n{"failed": "TypeError: no"}', exit_code=1
            ),
            "not-confirmed",
            "kernel for MATH: flash, not = math",
            id="other-than-claimed-before-it-ended",
        ),
        pytest.param(
            outcome('{"missing": "g++", "why": ""}'), "not-applicable", "missing: g++", id="missing"
        ),
        pytest.param(outcome('{"fact": "graphs", "val'), "failed", "did not tell", id="cut-off"),
    ],
)
def test_a_run_that_went_otherwise(over: Outcome, result: Result, reason: str) -> None:
    verdict = judge_outcome(find_check("sdpa-cpu"), over, MACHINE)
    assert verdict.result == result and reason in verdict.reasons[0]["en"]
    assert verdict.torch == ("" if result == "not-applicable" else MACHINE.torch)


def test_what_the_machine_lacks_is_told_without_a_run() -> None:
    verdict = unmet(find_check("cuda-sparse24"), MACHINE)
    assert verdict and verdict.result == "not-applicable" and "NVIDIA GPU" in verdict.reasons[0]["zh"]
    assert verdict.to_dict()["facts"] == {} and verdict.ratios == ()
    assert unmet(find_check("sdpa-cpu"), MACHINE) is None


def test_a_claim_about_a_newer_torch_is_not_tried_on_an_older_one() -> None:
    verdict = unmet(find_check("linalg-polar"), MACHINE)
    assert verdict and verdict.result == "not-applicable" and verdict.measurements is None
    assert verdict.reasons[0]["en"] == "missing: torch 2.14 or newer; this is 2.13.0+cpu"
    assert "torch 2.14" in verdict.reasons[0]["zh"] and "2.13.0+cpu" in verdict.reasons[0]["zh"]
    assert unmet(find_check("linalg-polar"), replace(MACHINE, torch="2.14.1+cu130")) is None


def test_results_are_named_in_both_languages() -> None:
    assert all(words["en"] and words["zh"] for words in RESULTS.values())


def test_a_slow_check_may_take_longer() -> None:
    assert (
        limits_of(find_check("weights-only")).seconds < limits_of(find_check("regional-compilation")).seconds
    )

"""No check says "confirmed" of what does not do as claimed; the stubs of all checks run in tests/slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.checks.check import Check
from assistant.checks.machine import describe, lacking
from assistant.checks.measurement import Comparison, Measurements, Ratio
from assistant.checks.registry import load_checks
from assistant.checks.verdict import judge
from tests.assistant.checks.stubbing import STUBS, load_stubs, run_stubbed
from tests.rows import each_row

TIMED = [check for check in load_checks() if check.rule.ratios]


def test_every_check_has_a_stub_and_every_stub_a_check() -> None:
    stubs = load_stubs()
    assert {stub.check.id for stub in stubs} == {check.id for check in load_checks()}
    assert {path.stem for path in STUBS.glob("*.toml")} - {"shared"} == {c.id for c in load_checks()}
    assert not [stub for stub in stubs if {*stub.results} & {"confirmed", "not-applicable"}]
    for stub in stubs:
        compile(stub.code, stub.name, "exec")


@pytest.mark.parametrize(
    ("id_", "name"),
    [
        ("sdpa-backends", "the choice of a kernel is ignored"),
        pytest.param("dynamo-exceptions", "torch.compile is the identity", marks=pytest.mark.long),
    ],
)
def test_a_stub_is_not_confirmed(id_: str, name: str, tmp_path: Path) -> None:
    (stub,) = (each for each in load_stubs() if (each.check.id, each.name) == (id_, name))
    if missing := lacking(stub.check.needs, describe()):
        pytest.skip(f"missing: {missing[0]['en']}")
    verdict = run_stubbed(stub, tmp_path, describe())
    assert verdict.result == "not-confirmed", verdict.reasons


def as_claimed(check: Check, *values: float) -> Measurements:
    """What a program tells where all is as claimed but for the times."""
    facts = {**check.rule.facts, **check.rule.at_least, **check.rule.at_most}
    ratios = {ratio.name: Ratio(ratio.name, values) for ratio in check.rule.ratios}
    return Measurements(facts, (Comparison("results", 0.0, 0.0),), ratios)


@each_row("check", TIMED, ids=lambda check: check.id)
def test_times_alone_refute_every_check_of_speed(check: Check) -> None:
    assert judge(check.rule, as_claimed(check, 9.0, 9.1, 9.2))[0] == "confirmed"
    assert judge(check.rule, as_claimed(check, 0.5, 0.6, 0.7))[0] == "not-confirmed"
    for values in ((1.0, 1.0, 1.0), (0.5, 1.0, 9.0)):
        assert judge(check.rule, as_claimed(check, *values))[0] == "inconclusive"


@each_row(
    "check",
    [check for check in load_checks() if check.id != "torch-func"],  # its claim is that results are right
    ids=lambda check: check.id,
)
def test_no_check_is_confirmed_by_results_that_agree_and_nothing_else(check: Check) -> None:
    """Where nothing was compiled, taken or recorded, results agree all the same."""
    agree = Measurements({}, (Comparison("results", 0.0, 0.0),), {})
    assert judge(check.rule, agree)[0] != "confirmed"

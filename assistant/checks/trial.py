"""A trial: a check's program is run on this machine, and what it says is judged."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from assistant.checks.check import SECONDS, Check, Words
from assistant.checks.machine import Machine, describe, lacking
from assistant.checks.measurement import read
from assistant.checks.verdict import Verdict, judge
from assistant.sandbox.isolation import Isolation
from assistant.sandbox.outcome import Outcome
from assistant.sandbox.run_limits import Limits
from assistant.sandbox.runner import run


def try_check(
    check: Check,
    *,
    machine: Machine | None = None,
    isolation: Isolation | None = None,
    on_line: Callable[[str], None] | None = None,
    cancelled: threading.Event | None = None,
) -> Verdict:
    """Run a check, if the machine has what it needs, and judge it.

    The caller has asked the user before: this runs a program. See `assistant.sandbox.runner.run` for what
    holds it, and for `isolation`, `on_line` and `cancelled`.
    """
    machine = machine or describe()
    missing = unmet(check, machine)
    if missing is not None:
        return missing
    if isolation is None:
        isolation = isolation_for([check])
    outcome = run(
        check.program,
        files=[check.kit],
        limits=limits_of(check),
        isolation=isolation,
        on_line=on_line,
        cancelled=cancelled,
    )
    return judge_outcome(check, outcome, machine)


def isolation_for(checks: Iterable[Check]) -> Isolation:
    """The best way to hold the programs of some checks that works here; look at `weaker` before."""
    from assistant.sandbox.probe import available

    return available(devices=any(check.needs.device == "cuda" for check in checks))[0]


def unmet(check: Check, machine: Machine) -> Verdict | None:
    """The verdict on a check that this machine cannot run: not applicable, and why; None where it can."""
    missing = lacking(check.needs, machine)
    if not missing:
        return None
    reasons: tuple[Words, ...] = tuple(
        {"en": f"missing: {m['en']}", "zh": f"缺少：{m['zh']}"} for m in missing
    )
    return Verdict(check, "not-applicable", reasons, None, machine)


def judge_outcome(check: Check, outcome: Outcome, machine: Machine) -> Verdict:
    """The verdict on a run that is over."""
    told = read(outcome.stdout)
    if (outcome.ok and not told.failed) or told.missing[0]:
        result, reasons = judge(check.rule, told)
    else:
        reason = told.failed or outcome.reason
        result, reasons = "failed", ({"en": reason, "zh": reason},)
    return Verdict(check, result, reasons, told, machine, outcome.seconds, outcome.isolation)


def limits_of(check: Check) -> Limits:
    """What a check may use: several times what it takes on two quiet cores, as others may use them too."""
    seconds = SECONDS[check.cost][1]
    return Limits(seconds=seconds, cpu_seconds=seconds)

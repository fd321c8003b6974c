"""Running a check on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from assistant.checks.check import SECONDS, Check, Words
from assistant.checks.machine import Machine, describe, lacking
from assistant.checks.measurement import read
from assistant.checks.verdict import Verdict, judge, judge_failure
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
    python: Path | None = None,
) -> Verdict:
    """Run a check if its requirements are met, and judge it.

    Runs a program: the caller must have asked for consent. See `assistant.sandbox.runner.run` for the
    restrictions.

    Args:
        check: the check.
        machine: this machine; None: `describe()`.
        isolation: sandbox backend; None: the best one available.
        on_line: called with each line of standard output as it is written; an exception ends the run.
        cancelled: ends the run when set by another thread.
        python: interpreter of another environment; `machine` describes its torch. None: this one.

    Raises:
        OSError: the program cannot be copied or started.
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
        python=python,
    )
    return judge_outcome(check, outcome, machine)


def isolation_for(checks: Iterable[Check]) -> Isolation:
    """Return the best sandbox backend available for some checks; it may still be `weaker` than the others.

    Args:
        checks: checks to run.

    Raises:
        OSError: no program can be run on this machine.
    """
    from assistant.sandbox.probe import available

    return available(devices=any(check.needs.device == "cuda" for check in checks))[0]


def unmet(check: Check, machine: Machine) -> Verdict | None:
    """Return the verdict "not-applicable" with reasons if requirements are not met, else None.

    Args:
        check: the check.
        machine: this machine.
    """
    missing = lacking(check.needs, machine)
    if not missing:
        return None
    reasons: tuple[Words, ...] = tuple(
        {"en": f"missing: {m['en']}", "zh": f"缺少：{m['zh']}"} for m in missing
    )
    return Verdict(check, "not-applicable", reasons, None, machine)


def judge_outcome(check: Check, outcome: Outcome, machine: Machine) -> Verdict:
    """Return the verdict on a finished run.

    Args:
        check: the check.
        outcome: outcome of its program.
        machine: this machine.
    """
    told = read(outcome.stdout)
    if outcome.ok or told.missing[0]:
        result, reasons = judge(check.rule, told)
    else:
        result, reasons = judge_failure(check.rule, told, told.failed or outcome.reason)
    return Verdict(check, result, reasons, told, machine, outcome.seconds, outcome.isolation)


def limits_of(check: Check) -> Limits:
    """Return the resource limits of a check: several times its duration on two idle cores.

    Args:
        check: the check.
    """
    seconds = SECONDS[check.cost][1]
    return Limits(seconds=seconds, cpu_seconds=seconds)

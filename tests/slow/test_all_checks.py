"""Every check, really run on this machine: asked for by name, as it takes some twenty minutes.

What is claimed is either confirmed or cannot be tried here. A claim about speed may also stay open: other
programs on the machine can only blur what is measured, not turn it round.
"""

from __future__ import annotations

import pytest

from assistant.checks.check import Check
from assistant.checks.machine import describe, lacking
from assistant.checks.registry import load_checks
from assistant.checks.trial import try_check


@pytest.mark.parametrize("check", load_checks(), ids=lambda check: check.id)
def test_check(check: Check) -> None:
    machine = describe()
    verdict = try_check(check, machine=machine)
    if lacking(check.needs, machine):
        assert verdict.result == "not-applicable" and verdict.reasons
    elif check.rule.ratios:
        assert verdict.result in {"confirmed", "inconclusive"}, verdict.reasons
    else:
        assert verdict.result == "confirmed", verdict.reasons

"""The mutation test of every check: a stub in place of what it checks, and it must not say "confirmed".

`make test-checks` runs it; docs/checks-stubs.md has the table.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.checks.check import Check
from assistant.checks.machine import describe, lacking
from assistant.checks.registry import load_checks
from tests.assistant.checks.stubbing import Stub, load_stubs, run_stubbed


@pytest.mark.parametrize("stub", load_stubs(), ids=lambda stub: f"{stub.check.id}: {stub.name}")
def test_stub(stub: Stub, tmp_path: Path) -> None:
    if missing := lacking(stub.check.needs, describe()):
        pytest.skip(f"missing: {missing[0]['en']}")
    verdict = run_stubbed(stub, tmp_path, describe())
    assert verdict.result in stub.results, verdict.reasons


@pytest.mark.parametrize("check", [c for c in load_checks() if c.needs.torch], ids=lambda check: check.id)
def test_an_older_torch_does_not_confirm_what_a_newer_one_changed(check: Check, tmp_path: Path) -> None:
    """The torch of this machine stands in for a stub where it is older than the release of the claim."""
    here, wanted = describe(), replace(check.needs, torch="")
    if not lacking(check.needs, here) or lacking(wanted, here):
        pytest.skip("the torch here is as new as the claim, or something else is missing")
    verdict = run_stubbed(Stub(check, "an older torch", "", ()), tmp_path, here)
    assert verdict.result in {"not-confirmed", "not-applicable"}, verdict.reasons

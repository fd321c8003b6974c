"""Runs the program of a check with a stub in place of what it checks.

A stub is a few lines that replace a function of torch by one that does not do what the notes claim. It is put
at the end of kit.py, which every program imports first, and before each program that `kit.child` starts; the
program is as it ships, and runs in the sandbox, as it does for a user.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.checks.check import Check
from assistant.checks.machine import Machine
from assistant.checks.registry import load_checks
from assistant.checks.trial import judge_outcome, limits_of
from assistant.checks.verdict import Result, Verdict
from assistant.sandbox.runner import run

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

STUBS = Path(__file__).with_name("stubs")
#: Appended to kit.py. A child has the stub before its own lines, which import torch anew.
_INJECTED = """

_STUB = {code!r}
exec(compile(_STUB, "stub", "exec"), {{"__name__": "stub"}})
_plain_child = child


def child(program: str, *arguments: str, **environment: str) -> str:
    stubbed = f"exec({{_STUB!r}}, {{{{'__name__': 'stub'}}}})\\n{{program}}"
    return _plain_child(stubbed, *arguments, **environment)
"""


@dataclass(frozen=True, slots=True)
class Stub:
    """What stands in for the thing that a check is about.

    Attributes:
        check: the check.
        name: what is other than claimed.
        code: lines that replace it.
        results: verdicts that are right then.
    """

    check: Check
    name: str
    code: str
    results: tuple[Result, ...]


def load_stubs() -> tuple[Stub, ...]:
    """All stubs, in the order of their checks."""
    shared = _read(STUBS / "shared.toml")
    found = []
    for check in load_checks():
        for name, table in _read(STUBS / f"{check.id}.toml").items():
            code = shared[table["use"]] if "use" in table else table["code"]
            found.append(Stub(check, name, code, tuple(table.get("results", ("not-confirmed",)))))
    return tuple(found)


def run_stubbed(stub: Stub, folder: Path, machine: Machine) -> Verdict:
    """The verdict on a check whose subject is replaced.

    Args:
        stub: what replaces it.
        folder: an empty folder.
        machine: this machine; whether it meets the needs of the check is not asked.
    """
    kit = folder / "kit.py"
    kit.write_text(stub.check.kit.read_text("utf-8") + _INJECTED.format(code=stub.code), "utf-8")
    outcome = run(stub.check.program, files=[kit], limits=limits_of(stub.check))
    return judge_outcome(stub.check, outcome, machine)


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))

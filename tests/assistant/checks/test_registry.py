from __future__ import annotations

import ast
import importlib.util
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from assistant.checks.check import BEYOND, Check
from assistant.checks.registry import (
    PROGRAMS,
    CheckFileError,
    checks_of,
    find_check,
    load_checks,
    read_check,
    reasons_without,
)
from ingest.document import LANGUAGES
from ingest.errors import TorchnotesError
from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[3]
DIGESTS = ROOT / "corpus" / "digests"
LONGEST = 80  # lines of a program, so that it can be read before it runs
CHECKS = load_checks()
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def each(test: Check) -> str:
    return test.id


#: Statuses of the features that the announcement of a release names.
ANNOUNCED = ("[Beta]", "[Prototype]", "[Stable]", "[Performance]")


def headings(release: str, language: str) -> dict[str, str]:
    """Heading of each section of a digest by its id."""
    text = (DIGESTS / language / f"{release}.md").read_text("utf-8")
    return {id_: heading for heading, id_ in re.findall(r"^### (.*) \{#([\w-]+)\}$", text, re.M)}


def test_there_are_enough() -> None:
    assert len([check for check in CHECKS if check.release.startswith("2.")]) >= 45
    assert len([check for check in CHECKS if check.needs.device == "cuda"]) >= 8
    newest = ("2.9", "2.10", "2.11", "2.12", "2.13", "2.14")
    assert len([c for c in CHECKS if c.release in newest and c.needs.device == "cpu"]) >= 12
    assert not [id_ for id_, count in Counter(check.id for check in CHECKS).items() if count > 1]


@each_row("check", CHECKS, ids=each)
def test_sections_are_there_in_both_languages(check: Check) -> None:
    for release, section in check.sections:
        assert all(section in headings(release, language) for language in LANGUAGES), (release, section)


@each_row("check", CHECKS, ids=each)
def test_words_are_of_their_language(check: Check) -> None:
    for words in (check.claim, check.limits):
        assert not CHINESE.search(words["en"])
        assert not words["zh"] or CHINESE.search(words["zh"])
        assert all(
            text.endswith("." if language == "en" else "。") for language, text in words.items() if text
        )
    assert check.rule.words("en") != check.rule.words("zh")


@pytest.mark.parametrize("release", ["2.1", "2.2", "2.3", "2.4"])
def test_every_feature_has_a_check_or_a_reason(release: str) -> None:
    every = headings(release, "en")
    # Breaking changes and deprecations are held against torch by tests/corpus/test_changes.py.
    announced = {section for section, heading in every.items() if heading.startswith(ANNOUNCED)}
    checked = {section for section in every if checks_of(release, section)}
    without = {section for of, section in reasons_without() if of == release}
    assert announced <= checked | without <= {*every}
    assert not checked & without


@each_row("path", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.stem)
def test_programs_are_short_and_shadow_no_module(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path.stem != "kit":
        assert path.read_text(encoding="utf-8").count("\n") < LONGEST
        assert (ast.get_docstring(tree) or "").endswith(".")
        assert path in {check.program for check in CHECKS}, "no check runs it"
    assert importlib.util.find_spec(path.stem) is None, "it would be imported in place of that module"


@each_row("check", CHECKS, ids=each)
def test_a_rule_names_what_its_program_tells(check: Check) -> None:
    """A name may be put together ("MB added by {name}"): its fixed parts have to be there, in order."""
    text = [
        node.value
        for node in ast.walk(ast.parse(check.code))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    for name in check.rule.names:
        whole = name in text
        assert whole or any(part.strip() and name.startswith(part) for part in text), name
    assert check.rule.names or "kit.same(" in check.code


@each_row("check", [c for c in CHECKS if c.kind in BEYOND], ids=each)
def test_a_check_of_less_than_the_notes_say_tells_its_limits(check: Check) -> None:
    assert all(check.limits[language] for language in LANGUAGES)


@each_row("check", [c for c in CHECKS if c.needs.compiler and c.needs.device == "cpu"], ids=each)
def test_who_compiles_says_so(check: Check) -> None:
    assert "kit.compiler()" in check.code


def test_a_check_is_found_by_name_and_by_section() -> None:
    assert find_check(" SDPA_cpu ") is find_check("sdpa-cpu")
    assert find_check("sdpa-cpu") in checks_of("2.1", "sdpa-cpu")
    assert find_check("tensor-parallel") in checks_of("2.0", "tensor-parallel")
    assert checks_of("2.1") and not checks_of("2.1", "no-such-section")
    with pytest.raises(
        TorchnotesError, match=r"sdpa: no check is called so; near it: .*sdpa-cpu.*torchnotes checks"
    ):
        find_check("sdpa")


GOOD = """
release = "2.1"
section = "sdpa-cpu"
cost = "quick"
program = "sdpa_cpu.py"
[claim]
en = "Faster."
zh = "更快。"
[[rule.ratios]]
name = "math over flash"
confirm_min = 1.3
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param('cost = "quick"', 'cost = "cheap"', "no such cost: cheap", id="cost"),
        pytest.param('cost = "quick"\n', "", "KeyError: 'cost'", id="missing"),
        pytest.param('cost = "quick"', 'cost = "quick"\nprice = 3', "unknown key price", id="unknown"),
        pytest.param("sdpa_cpu.py", "gone.py", "no program gone.py", id="program"),
        pytest.param('zh = "更快。"', 'zh = ""', "a claim is empty", id="claim"),
        pytest.param('zh = "更快。"\n', "", "KeyError: 'zh'", id="one-language"),
        pytest.param("confirm_min = 1.3", "confirm_min = 0.9", "has to be above 1", id="confirms-slowness"),
        pytest.param(
            "confirm_min = 1.3", "confirm_min = 1.3\nrefute_max = 1.4", "has to be above", id="overlap"
        ),
        pytest.param("confirm_min", "confirm", "TypeError", id="ratio-key"),
        pytest.param(
            'cost = "quick"', 'cost = "quick"\nkind = "up-to"', "has to tell its limits", id="no-limits"
        ),
        pytest.param("[[rule.ratios]]", "[rule.fact]", "a rule has no fact", id="rule-key"),
        pytest.param(
            "[claim]", "[needs]\ngpu = true\n[claim]", "unexpected keyword argument 'gpu'", id="need"
        ),
    ],
)
def test_a_file_that_is_not_well_formed_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in GOOD
    path = tmp_path / "trial.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert read_check(path).rule.ratios[0].confirm_min == 1.3
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(CheckFileError, match=re.escape(told)):
        read_check(path)


def test_the_registry_loads_without_torch() -> None:
    code = """
import json, sys
import assistant.checks.machine, assistant.checks.registry, assistant.checks.trial, assistant.checks.verdict
assistant.checks.registry.load_checks()
json.dump([*sys.modules], sys.stdout)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"torch", "numpy", "kit"} & {*json.loads(done.stdout)}

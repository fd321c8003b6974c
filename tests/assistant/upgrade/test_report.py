"""The report on a code base: findings, what was searched, and the releases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import assistant
from assistant.api_usage.lookup import Deprecation, FoundName, Lookup
from assistant.api_usage.names import ApiName
from assistant.upgrade import report as report_module
from assistant.upgrade import searching
from ingest.errors import TorchnotesError
from ingest.release import Release
from tests.assistant.upgrade.projects import TRAIN, project, report_on, symbols

VERBOSE = "torch.optim.lr_scheduler.StepLR(verbose=)"


def test_findings_come_with_the_words_of_the_notes(tmp_path: Path) -> None:
    report = report_on(project(tmp_path, {"src/train.py": TRAIN}))
    first, second = report.findings
    assert (first.symbol, first.kind, first.certainty, first.release) == (VERBOSE, "breaks", "sure", "2.7")
    assert first.removed_in == "2.7" and "verbose" in first.quote
    assert first.url == "https://github.com/pytorch/pytorch/releases/tag/v2.7.0"
    assert (first.place.file, first.place.line, first.place.column) == ("src/train.py", 4, 13)
    assert first.place.code == "scheduler = StepLR(optimizer, 30, verbose=True)"
    assert (second.symbol, second.kind, second.check) == (
        "torch.load(weights_only=)",
        "default",
        "weights-only",
    )
    assert "weights_only" in second.quote and second.url == "https://pytorch.org/blog/pytorch2-6/"


def test_quotes_are_in_the_language_asked_for(tmp_path: Path) -> None:
    project(tmp_path, {"train.py": TRAIN})
    report = assistant.upgrade_report(tmp_path, older="2.3", newer="2.8", language="zh", ask_installed=False)
    assert all("PyTorch 2." in each.quote and "的" in each.quote for each in report.findings)


def test_json_says_what_was_searched(tmp_path: Path) -> None:
    report = report_on(project(tmp_path, {"a.py": "import torch\n\ntorch.ones(2)\n", "b.py": "x = 1\n"}))
    told = json.loads(json.dumps(report.to_dict()))
    assert told["findings"] == [] and (told["from"], told["to"]) == ("2.3", "2.8")
    searched = told["searched"]
    assert searched["files"] == {"python": 2} and searched["lines"] == 6 and searched["names"] == 1
    assert searched["changes"] > 30 and searched["releases"][-1] == "2.14"


def test_what_goes_later_is_deprecated_now(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import torch\n\ntorch.cholesky(x)\n"})
    (now,) = report_on(tmp_path).findings
    assert (now.kind, now.since, now.removed_in) == ("deprecated", "1.9", "2.14")
    (then,) = report_on(tmp_path, "2.12", "2.14").findings
    assert then.kind == "breaks"


def test_what_has_gone_before_is_not_told(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import torch\n\ntorch.onnx.dynamo_export(model)\n"})
    assert [each.kind for each in report_on(tmp_path, "2.6", "2.8").findings] == ["deprecated"]
    assert [each.kind for each in report_on(tmp_path, "2.6", "2.9").findings] == ["breaks"]
    assert report_on(tmp_path, "2.9", "2.12").findings == ()


def test_a_package_is_its_own(tmp_path: Path) -> None:
    code = "import functorch, torch\n\nfunctorch.vmap(f)\ntorch.symeig(x)\n"
    files = {"functorch/__init__.py": "from functorch import vmap\n", "test/a.py": code}
    report = report_on(project(tmp_path, files), "1.13", "2.0")
    assert symbols(report) == [("test/a.py", 4, "torch.symeig")]
    assert [each.file for each in report.searched.skipped] == ["functorch/__init__.py"]


def test_guarded_uses_are_left_out_and_counted(tmp_path: Path) -> None:
    code = (
        "import torch\n"
        "try:\n    from torch.export import export_for_inference\nexcept ImportError:\n    pass\n"
        "try:\n    torch.load(path)\nexcept AttributeError:\n    pass\n"
    )
    report = report_on(project(tmp_path, {"a.py": code}))
    assert report.searched.guarded == ("a.py:3 torch.export.export_for_inference",)
    assert symbols(report) == [("a.py", 7, "torch.load(weights_only=)")]  # a default raises no AttributeError


@pytest.mark.parametrize(
    ("files", "older", "newer", "expected"),
    [
        ({"requirements.txt": "numpy\ntorch==2.1.2\n"}, None, "2.8", ("2.1", "requirements.txt:2")),
        ({"pyproject.toml": 'dependencies = ["torch>=2.2,<3"]\n'}, None, "2.8", ("2.2", "pyproject.toml:1")),
        ({"Dockerfile": "FROM pytorch/pytorch:2.0.1-cuda11.7\n"}, None, "2.8", ("2.0", "Dockerfile:1")),
        ({"poetry.lock": 'name = "torch"\nversion = "2.3.1"\n'}, None, "2.8", ("2.3", "poetry.lock:1")),
        ({"requirements.txt": "torch>=1.13\n", "uv.lock": 'name = "torch"\nversion = "2.4.0"\n'}, None, "2.8",
         ("2.4", "uv.lock:1")),
        ({"requirements.txt": "torch==2.1\n"}, "2.3", "2.8", ("2.3", "given")),
    ],
)  # fmt: skip
def test_the_older_release_is_read(
    tmp_path: Path, files: dict[str, str], older: str | None, newer: str, expected: tuple[str, str]
) -> None:
    report = report_on(project(tmp_path, files), older, newer)
    assert (str(report.older), report.older_from) == expected


def test_the_newer_release_is_read(tmp_path: Path) -> None:
    project(tmp_path, {"requirements.txt": "torch==2.5.1\n"})
    report = report_on(tmp_path, "2.3", None)
    assert (str(report.newer), report.newer_from) == ("2.5", "requirements.txt:1")
    assert str(report_on(tmp_path, None, None).newer) == "2.14"


@pytest.mark.parametrize(
    ("older", "newer", "message"),
    [
        ("2.8", "2.3", "2[.]3 is not newer"),
        ("2.x", "2.8", "'2.x' is not a release"),
        ("2.3", "9.9", "nothing is known of release 9.9 yet; give --to at most 2.14"),
    ],
)
def test_releases_that_make_no_upgrade(tmp_path: Path, older: str, newer: str, message: str) -> None:
    with pytest.raises(TorchnotesError, match=message):
        report_on(tmp_path, older, newer)


def test_nothing_to_upgrade_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "installed", lambda: None)
    with pytest.raises(TorchnotesError, match="give it, such as --from"):
        report_on(tmp_path, None, "2.8")


def test_what_torch_marks_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"torch.testing.assert_allclose": True, "torch.symeig": False}
    found = tuple(
        FoundName(ApiName(name, name, ()), there, "", "torch", "", said, (), ())
        for name, there in names.items()
        for said in [(Deprecation("mark", "Please use torch.testing.assert_close."),) if there else ()]
    )
    monkeypatch.setattr(report_module, "ask_torch", lambda _: Lookup("2.8.0+cpu", found))
    monkeypatch.setattr(report_module, "installed", lambda: Release(2, 8))
    project(tmp_path, {"a.py": "import torch\n\ntorch.testing.assert_allclose(x, y)\ntorch.symeig(x)\n"})
    missing, marked = assistant.upgrade_report(tmp_path, older="2.3", newer="2.8").findings
    assert (marked.symbol, marked.kind, marked.source) == (
        "torch.testing.assert_allclose",
        "deprecated",
        "torch 2.8.0+cpu",
    )
    assert (missing.kind, missing.certainty, missing.quote) == (
        "breaks",
        "likely",
        "torch.symeig does not exist.",
    )
    assert (
        missing.release == marked.release == "" and marked.quote == "Please use torch.testing.assert_close."
    )


def test_a_torch_that_cannot_be_asked_costs_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> Lookup:
        raise TorchnotesError("torch cannot be imported here; install it: pip install torch")

    monkeypatch.setattr(report_module, "ask_torch", broken)
    monkeypatch.setattr(report_module, "installed", lambda: Release(2, 8))
    report = assistant.upgrade_report(project(tmp_path, {"a.py": TRAIN}), older="2.3", newer="2.8")
    assert len(report.findings) == 2 and report.searched.torch == ""
    assert [each.file for each in report.searched.skipped] == ["torch"]

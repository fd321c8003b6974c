"""Code of somebody else is read by a process of its own, which ends before it takes the machine."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from assistant.upgrade import apart
from assistant.upgrade.pasted import report_on_code, report_on_files
from ingest.errors import TorchnotesError
from ingest.release import Release

OLD, NEW = Release(2, 3), Release(2, 8)
#: Each takes the parser a square of its length: of memory, and of time in which no thread runs.
PARTS = "import torch" + ".a" * 60_000
EXPRESSIONS = 'import torch\nf"' + "{x}" * 40_000 + '"'


@pytest.mark.parametrize("code", [PARTS, EXPRESSIONS], ids=["parts", "expressions"])
def test_nothing_of_it_is_parsed_where_others_wait(code: str) -> None:
    begun = time.process_time()
    with patch("ast.parse", side_effect=AssertionError("parsed here")):
        report_on_files({"a.py": code}, OLD, NEW)
    assert time.process_time() - begun < 0.5


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux")
def test_what_takes_too_much_memory_costs_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_MEMORY", 400 << 20)
    report = report_on_files({"a.py": PARTS, "b.py": "import torch\ntorch.load(p)\n"}, OLD, NEW)
    assert [each.file for each in report.searched.skipped] == ["a.py"]
    assert [each.place.file for each in report.findings] == ["b.py"]


def test_what_takes_too_long_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "_CPU_SECONDS", 1)
    with pytest.raises(TorchnotesError, match="more time or memory than a server spends"):
        report_on_code("import torch\n" + "torch.load(p)\n" * 14_000, OLD, NEW)
    monkeypatch.setattr(apart, "_SECONDS", 0.01)
    with pytest.raises(TorchnotesError, match="more time or memory than a server spends"):
        report_on_code("import torch\n", OLD, NEW)


def test_errors_are_told_as_they_are() -> None:
    with pytest.raises(TorchnotesError, match="is not newer than"):
        report_on_code("import torch\n", NEW, OLD)
    with pytest.raises(TorchnotesError, match="not valid Python"):
        report_on_code("import torch (\n", OLD, NEW)


def test_no_module_among_the_files_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", ".", *sys.path])
    for name in ("json.py", "pickle.py", "sitecustomize.py", "usercustomize.py"):
        (tmp_path / name).write_text("raise SystemExit('imported')", encoding="utf-8")
    files = {"json.py": "raise SystemExit", "assistant/upgrade/apart.py": "raise SystemExit"}
    assert report_on_files({**files, "a.py": "import torch\ntorch.load(p)\n"}, OLD, NEW).findings

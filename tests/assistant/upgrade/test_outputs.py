"""Markdown and SARIF of the report."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from assistant.upgrade.finding import Skipped
from assistant.upgrade.markdown import to_markdown
from assistant.upgrade.sarif import to_sarif
from ingest.markup import parse_blocks
from tests.assistant.upgrade.projects import TRAIN, project, report_on


def test_markdown_has_a_box_for_each_symbol_of_a_file(tmp_path: Path) -> None:
    report = report_on(project(tmp_path, {"train.py": TRAIN + "torch.load('again')\n"}))
    text = to_markdown(report)
    assert text.count("- [ ] ") == 2 and "## train.py" in text
    assert "· line 5, 6" in text and "<https://pytorch.org/blog/pytorch2-6/>" in text
    assert "1 breaking · 2 with another default" in text
    assert "不兼容" in to_markdown(report, "zh")


def test_code_cannot_leave_its_span(tmp_path: Path) -> None:
    name = "a`[x](https://evil.example).py"
    report = report_on(project(tmp_path, {name: "import torch\ntorch.load('``` [x](y) `<img>')\n"}))
    blocks = parse_blocks(to_markdown(report))
    assert not [block for block in blocks if block.kind in ("fence", "html")]
    assert "](https://evil" not in to_markdown(report).replace("\\]", "")


@pytest.mark.parametrize("given", ["a``b <img src=x>", "`a``` [x](https://evil.example)", "``", "a\n\n# b"])
def test_all_of_a_code_is_in_its_span(tmp_path: Path, given: str) -> None:
    report = report_on(project(tmp_path, {"a.py": "import torch\ntorch.load('x')\n"}))
    skipped = Skipped(f"torch.load(x) # {given}", "a symbolic link")
    searched = replace(report.searched, skipped=(skipped,))
    html = MarkdownIt("commonmark").render(to_markdown(replace(report, searched=searched)))
    spans = re.findall("<code>(.*?)</code>", html)
    assert unescape(spans[-1]) == " ".join(skipped.file.split())
    assert not re.search("<(?:img|a href=.https://evil|h1>b)", html)


def test_sarif_has_rules_results_and_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    project(tmp_path, {"my code/train.py": TRAIN, "my code/broken.py": "import torch ("})
    log = json.loads(json.dumps(to_sarif(report_on(Path("my code")))))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    first = run["results"][0]
    assert rules[first["ruleIndex"]] == first["ruleId"] and first["level"] == "error"
    location = first["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "my%20code/train.py"
    assert location["region"] == {"startLine": 4, "startColumn": 13, "endLine": 4, "endColumn": 19}
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert [note["message"]["text"].partition(":")[0] for note in notes] == ["broken.py"]
    assert len({each["partialFingerprints"]["torchnotes/v1"] for each in run["results"]}) == 2

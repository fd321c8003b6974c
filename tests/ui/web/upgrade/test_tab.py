"""What breaks in the visitor's code: what the browser sends, and the report as HTML."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import os
import zipfile
from pathlib import Path
from unittest.mock import patch

import pytest

from assistant.upgrade.pasted import MAX_ALL
from ingest.release import Release
from tests.rows import each_row
from ui.shared.request_queue import RequestQueue
from ui.web.components.page_labels import BUSY
from ui.web.upgrade.tab import _in_turn, _releases, _told

CODE = (
    "import torch\nfrom torch.optim.lr_scheduler import StepLR\nStepLR(o, 3, verbose=True)\ntorch.load(p)\n"
)


def sent(files: dict[str, str], left: int = 0) -> str:
    """The text that the browser sends."""
    return json.dumps({"files": files, "left": left})


def test_pasted_code() -> None:
    html = _told(sent({"code.py": CODE}), "2.3", "2.8", "en")
    assert "<h2>torch 2.3 → 2.8</h2>" in html and "1 breaking · 1 with another default" in html
    assert "<code>torch.optim.lr_scheduler.StepLR(verbose=)</code> <small>2.7 · line 3</small>" in html
    assert "PyTorch 2.7 removes LRScheduler.print_lr()" in html
    assert 'href="https://github.com/pytorch/pytorch/releases/tag/v2.7.0"' in html
    assert "1 处不兼容" in _told(sent({"code.py": CODE}), "2.3", "2.8", "zh")


def test_files_and_folders() -> None:
    notebook = json.dumps(
        {"cells": [{"cell_type": "code", "source": "import torch\ntorch.load(p)"}], "nbformat": 4}
    )
    files = {"a/src/train.py": CODE, "a/run.ipynb": notebook, "a/requirements.txt": "torch==2.3.0\n"}
    html = _told(sent(files, left=3), "2.3", "2.8", "en")
    assert "<code>a/src/train.py</code>" in html and "<code>a/run.ipynb</code>" in html and "[1]:" in html
    assert "3 files were not read" in html


@each_row(
    ("text", "line"),
    [
        (sent({}), "There is no code"),
        ("[", "what was sent are no files"),
        ('{"files": [], "left": 0}', "what was sent are no files"),
        ('{"files": {"a.py": 1}, "left": 0}', "what was sent are no files"),
        ("[" * 100_000, "what was sent are no files"),
        (sent({"../a.py": CODE}), "is no name of a file"),
        (sent({"/etc/a.py": CODE}), "is no name of a file"),
        (sent({"a\0.py": CODE}), "no name of a file"),
        (sent({"a.py/" * 30 + "a.py": CODE, "b" * 300: CODE}), "is no name of a file"),
        ('{"files": {}, "archives": {"a.zip": "?"}, "left": 0}', "what was sent are no files"),
        ('{"files": {}, "archives": {"a.zip": 1}, "left": 0}', "what was sent are no files"),
        ('{"files": {}, "archives": ["a.zip"], "left": 0}', "what was sent are no files"),
        (sent({f"{number}.py": "" for number in range(1_001)}), "1,001 files with 0 characters"),
        (sent({"a.py": "x" * (MAX_ALL + 1)}), "give at most 1,000 with 1,500,000"),
    ],
)
def test_what_is_no_code_is_one_line(text: str, line: str) -> None:
    html = _told(text, "2.3", "2.8", "en")
    assert line in html and "tn-error" in html


@pytest.mark.parametrize(("one", "other"), [("2.8", "2.3"), ("x", "2.3"), (None, "2.3")])
def test_releases_that_make_no_upgrade(one: str, other: str) -> None:
    assert "tn-error" in _told(sent({"code.py": CODE}), one, other, "en")


def test_code_cannot_become_part_of_the_page() -> None:
    code = "import torch\ntorch.load('<script>x</script><img src=y>')\n"
    html = _told(sent({"<b>x</b>.py": code}), "2.3", "2.8", "en")
    assert "<script" not in html and "<img" not in html and "<b>" not in html
    assert "torch.load(&#x27;&lt;script&gt;" in html or "torch.load('&lt;script&gt;" in html


def test_files_that_are_hostile_cost_a_line() -> None:
    files = {"deep.py": "import torch\n" + "(" * 5_000, "bad.ipynb": "{" * 50_000, "ok.py": CODE}
    html = _told(sent(files), "2.3", "2.8", "en")
    assert "1 breaking" in html and html.count("Not searched") == 2


def zipped(files: dict[str, str]) -> str:
    """What the browser sends of a zip archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return json.dumps(
        {"files": {}, "archives": {"a.zip": base64.b64encode(data.getvalue()).decode()}, "left": 0}
    )


def test_the_releases_to_choose_from_are_in_order() -> None:
    releases = [Release.parse(each) for each in _releases()]
    assert releases == sorted(set(releases), reverse=True)


def test_an_archive_is_read_in_memory() -> None:
    with patch("tempfile.mkdtemp", side_effect=AssertionError("nothing is written")):
        html = _told(zipped({"p/train.py": CODE, "p/logo.png": "x", "p/../b.py": CODE}), "2.3", "2.8", "en")
    assert "<code>p/train.py</code>" in html and "1 breaking" in html
    assert html.count("Not searched") == 1 and "its name leads out of the archive" in html


def test_an_archive_that_is_none_costs_a_line() -> None:
    text = json.dumps({"files": {"a.py": CODE}, "archives": {"a.zip": "UEsDBA=="}, "left": 0})
    html = _told(text, "2.3", "2.8", "en")
    assert "1 breaking" in html and "no zip archive that can be read" in html


def test_a_report_waits_for_its_turn_as_questions_do() -> None:
    async def asked() -> tuple[str, str]:
        line = RequestQueue(at_once=1, waiting=0)
        async with line.place():
            refused = await _in_turn(line, sent({"code.py": CODE}), "2.3", "2.8", "en")
        return refused, await _in_turn(line, sent({"code.py": CODE}), "2.3", "2.8", "en")

    refused, told = asyncio.run(asked())
    assert BUSY["en"] in refused and "1 breaking" in told


def test_files_of_git_among_those_sent_are_not_obeyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each name of a file would take git a minute to compare with this."""
    called = tmp_path / "called"
    (tmp_path / "git").write_text(f"#!/bin/sh\ntouch {called}\n", encoding="utf-8")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    slow = ("*a" * 30 + "b\n") * 500
    files = {".git/HEAD": "ref: x\n", ".gitignore": slow + "*.py\n", f"{'a' * 100}.py": CODE}
    assert "1 breaking" in _told(sent(files), "2.3", "2.8", "en")
    assert not called.exists()

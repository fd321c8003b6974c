"""Small code bases for the tests of the upgrade report."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.report import upgrade_report

TRAIN = """\
import torch
from torch.optim.lr_scheduler import StepLR

scheduler = StepLR(optimizer, 30, verbose=True)
state = torch.load("größe.pt")
"""


def project(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def repository(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder that is a git repository."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git")
    subprocess.run([git, "init", "--quiet", str(folder)], check=True)
    return project(folder, files)


def report_on(path: Path, older: str | None = "2.3", newer: str | None = "2.8") -> UpgradeReport:
    """The report without asking the installed torch, which takes seconds."""
    return upgrade_report(path, older=older, newer=newer, ask_installed=False)


def symbols(report: UpgradeReport) -> list[tuple[str, int, str]]:
    """File, line and symbol of each finding."""
    return [(each.place.file, each.place.line, each.symbol) for each in report.findings]

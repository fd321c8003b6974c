"""Notebooks: cells, magics, shell commands, and lines of the file."""

from __future__ import annotations

import json
from pathlib import Path

from tests.assistant.upgrade.projects import report_on


def notebook(*cells: list[str]) -> str:
    return json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["torch.load(path)"]},
                *({"cell_type": "code", "source": source} for source in cells),
            ]
        },
        indent=1,
    )


def test_cells_are_searched(tmp_path: Path) -> None:
    text = notebook(
        ["%matplotlib inline\n", "import torch\n", "!pip install timm\n", "state = torch.load('größe.pt')"],
        ["!conda install pytorch torchvision -c pytorch\n"],
        ["this is = no Python"],
        ["%%bash\n", "conda install pytorch"],
    )
    (tmp_path / "a.ipynb").write_text(text, encoding="utf-8")
    report = report_on(tmp_path)
    found = {(each.symbol, each.place.cell, each.place.line): each for each in report.findings}
    rows = text.split("\n")
    assert len(found) == 3
    for (symbol, cell, line), each in found.items():
        assert symbol in ("torch.load(weights_only=)", "conda install pytorch")
        assert ("torch.load" if cell == 2 else "conda install pytorch") in rows[line - 1]
        assert each.place.cell in (2, 3, 5)
    assert [each.reason[:7] for each in report.searched.skipped] == ["cell 4:"]


def test_names_are_known_from_one_cell_to_the_next(tmp_path: Path) -> None:
    text = notebook(["import torch as th\n"], ["th.load(path)\n"])
    (tmp_path / "a.ipynb").write_text(text, encoding="utf-8")
    assert [each.place.cell for each in report_on(tmp_path).findings] == [3]

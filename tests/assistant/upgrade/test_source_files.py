"""Which files are searched; hostile ones cost a line each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from assistant.upgrade.source_files import list_files
from assistant.upgrade.uses import MOST_USES
from ingest.errors import SourceError
from tests.assistant.upgrade.projects import TRAIN, project, report_on, repository, symbols

LOAD = "import torch\n\ntorch.load(path)\n"


def names(path: Path) -> list[str]:
    return [file.name for file in list_files(path).files]


def test_gitignore_is_respected(tmp_path: Path) -> None:
    repository(
        tmp_path,
        {
            ".gitignore": "ignored/\n*_old.py\n",
            "a.py": LOAD,
            "ignored/b.py": LOAD,
            "c_old.py": LOAD,
            "d/e.py": LOAD,
        },
    )
    assert names(tmp_path) == ["a.py", "d/e.py"] and list_files(tmp_path).how == "git"
    assert names(tmp_path / "d") == ["e.py"]


@pytest.mark.skipif(os.name != "posix", reason="the configuration names a program by a path of Unix")
def test_the_configuration_of_a_repository_runs_nothing(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": LOAD})
    told = tmp_path / "ran"
    hook = tmp_path / "hook.sh"
    hook.write_text(f"#!/bin/sh\ntouch {told}\n")
    hook.chmod(0o755)
    subprocess.run(["git", "-C", str(tmp_path), "config", "core.fsmonitor", str(hook)], check=True)
    assert "a.py" in names(tmp_path) and not told.exists()


def test_a_folder_without_git_leaves_out_environments(tmp_path: Path) -> None:
    project(
        tmp_path,
        {
            "a.py": LOAD,
            ".hidden/b.py": LOAD,
            "mine/pyvenv.cfg": "",
            "mine/lib/c.py": LOAD,
            "build/d.py": LOAD,
        },
    )
    assert names(tmp_path) == ["a.py"] and list_files(tmp_path).how == "folders"


def test_links_are_not_followed(tmp_path: Path) -> None:
    project(tmp_path, {"code/a.py": LOAD})
    (tmp_path / "code" / "loop").symlink_to(tmp_path / "code", target_is_directory=True)
    (tmp_path / "code" / "b.py").symlink_to(tmp_path / "code" / "b.py")
    report = report_on(tmp_path)
    assert symbols(report) == [("code/a.py", 3, "torch.load(weights_only=)")]
    assert [(each.file, each.reason) for each in report.searched.skipped] == [
        ("code/b.py", "a symbolic link")
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_does_not_hold_the_report(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.py")
    assert [each.reason for each in list_files(tmp_path).skipped] == ["not a regular file"]


def test_hostile_files_cost_a_line_each(tmp_path: Path) -> None:
    deep = sys.getrecursionlimit() * 20
    project(
        tmp_path,
        {
            "brackets.py": "import torch\nx = " + "(" * 5000 + ")" * 5000,
            "chain.py": "import torch\nx = torch" + ".a" * deep,
            "minus.py": "import torch\nx = " + "-" * deep + "1",
            "sum.py": "import torch\nx = " + "1+" * deep + "1",
            "syntax.py": "import torch\nprint 'torch'\n",
            "null.py": "import torch\0\n",
            "notebook.ipynb": "[" * 100_000,
            "cells.ipynb": '{"cells": 3}',
            "fine.py": LOAD,
        },
    )
    (tmp_path / "latin.py").write_bytes("import torch  # größe\n".encode("latin-1"))
    (tmp_path / "coding.py").write_bytes(b"# coding: no-such-thing\nimport torch\n")
    for codec in ("zip", "rot13", "hex"):  # Python has them, but not for text
        (tmp_path / f"{codec}.py").write_bytes(f"# coding: {codec}\nimport torch\n".encode())
    with (tmp_path / "large.py").open("wb") as file:
        file.truncate(50_000_000)
    report = report_on(tmp_path)
    assert symbols(report) == [("fine.py", 3, "torch.load(weights_only=)")]
    skipped = {each.file: each.reason for each in report.searched.skipped}
    assert skipped.keys() == {path.name for path in tmp_path.iterdir()} - {"fine.py"}
    assert skipped["large.py"] == "larger than 3 MB" and "line 2" in skipped["syntax.py"]
    assert all("\n" not in reason for reason in skipped.values())


def test_classes_that_are_their_own_bases(tmp_path: Path) -> None:
    code = (
        "import torch\n\n\nclass A(B): ...\n\n\nclass B(A): ...\n\n\nA()\nx = y\ny = x\nx.cholesky()\n" + LOAD
    )
    assert len(report_on(project(tmp_path, {"a.py": code})).findings) == 1


def test_stubs_are_no_code_that_runs(tmp_path: Path) -> None:
    project(tmp_path, {"a.pyi": "from torch._six import inf\n", "a.py": LOAD})
    assert names(tmp_path) == ["a.py"]


def test_one_file(tmp_path: Path) -> None:
    project(tmp_path, {"train.py": TRAIN, "other.py": TRAIN})
    report = report_on(tmp_path / "train.py")
    assert {each.place.file for each in report.findings} == {"train.py"}


@pytest.mark.parametrize(
    ("name", "message"), [("none", "no such file or folder"), ("a.txt", "neither Python")]
)
def test_what_cannot_be_searched(tmp_path: Path, name: str, message: str) -> None:
    project(tmp_path, {"a.txt": "torch"})
    with pytest.raises(SourceError, match=message):
        list_files(tmp_path / name)


def test_files_that_hold_more_than_any_code_does_cost_a_line(tmp_path: Path) -> None:
    many = ["import torch\n", *["torch.load(p)\n"] * (MOST_USES + 1)]
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1\n"] * 600_000}]})
    project(
        tmp_path,
        {
            "uses.py": "".join(many),
            "code.ipynb": notebook,
            "a.yml": "python-version: 3.7\n" * 6_000,
            "b.py": LOAD,
        },
    )
    report = report_on(tmp_path)
    assert {each.file: each.reason for each in report.searched.skipped} == {
        "uses.py": "cannot be read (more than 40,000 uses of torch)",
        "code.ipynb": "cannot be read (its code is larger than 3 MB)",
        "a.yml": "all but the first 5,000 findings",
    }
    assert Counter(each.place.file for each in report.findings) == {"a.yml": 5_000, "b.py": 1}

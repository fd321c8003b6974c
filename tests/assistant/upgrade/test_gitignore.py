"""The patterns of .gitignore files leave out what git leaves out, and hostile ones cost a line."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from assistant.upgrade import ignore_patterns
from assistant.upgrade.ignore_patterns import MatchingCost, patterns_in
from assistant.upgrade.source_files import list_files
from tests.assistant.upgrade.projects import repository

PYTHON = "import torch\n"


def left_in(folder: Path) -> list[str]:
    return sorted(file.name for file in list_files(folder).files)


def left_in_by_git(folder: Path) -> list[str]:
    listing = ["git", "-C", str(folder), "ls-files", "-z", "--others", "--exclude-standard"]
    done = subprocess.run(listing, capture_output=True, check=True, text=True)
    return sorted(name for name in done.stdout.split("\0") if name.endswith(".py"))


@pytest.mark.parametrize(
    "patterns",
    [
        "a/\n*.py\n!a.py",
        "/a.py\nb/c.py\n!/b/c.py",
        "**/c/**\n!**/c/a.py",
        "a/**/c\n",
        "a/**\n!a/b.py",
        "[ab].py\n![!b].py",
        "[[:alpha:]].py\n[]a].py\n[a-",
        "?.py\n\\!x.py\n\\#y.py\n#c.py",
        "a.py   \nb.py\\ \n c.py",
        "*\n!*/\n!c.py",
        "a*b*c*.py\n*x*y",
        "/*/a.py\n/*/*/c.py",
        "b/**/\n",
        "**\n!/a.py",
        "c.py\r\nb/\r\n",
        "[^a-b]*\n\\[x\\].py\nx\\",
    ],
)
def test_patterns_leave_out_what_git_leaves_out(tmp_path: Path, patterns: str) -> None:
    names = [
        "a.py",
        "b.py",
        "c.py",
        "abc.py",
        "axbxcx.py",
        "!x.py",
        "#y.py",
        "[x].py",
        "b.py ",
        "-.py",
        "].py",
    ]
    folders = ["", "a/", "b/", "a/b/", "a/b/c/", "c/", "b/c/a/"]
    files = {f"{folder}{name}": PYTHON for folder in folders for name in names if not name.endswith(" ")}
    repository(tmp_path, {".gitignore": patterns, **files})
    assert left_in(tmp_path) == left_in_by_git(tmp_path)


def test_random_patterns_leave_out_what_git_leaves_out(tmp_path: Path) -> None:
    chosen = random.Random(22)
    folders = ["", "a/", "b/", "a/b/", "a/a/", "a/b/a/", "b/a/"]
    files = {f"{folder}{name}.py": PYTHON for folder in folders for name in ("a", "b", "ab", "ba", "aab")}
    repository(tmp_path, files)
    pieces = ["a", "b", "*", "**", "***", "?", "[ab]", "[!a]", "*.py", "a*b*", "*a*", "?[!b]?py", "a.py"]

    def line() -> str:
        components = "/".join(chosen.choices(pieces, k=chosen.choice([1, 1, 2, 2, 3, 4])))
        return (
            chosen.choice(["", "", "!"])
            + chosen.choice(["", "", "/"])
            + components
            + chosen.choice(["", "", "/"])
        )

    for _ in range(60):
        for folder in ("", "a/", "b/a/"):
            lines = [line() for _ in range(chosen.randint(0, 3))]
            (tmp_path / folder / ".gitignore").write_text("\n".join(lines))
        written = {str(path): path.read_text() for path in tmp_path.rglob(".gitignore")}
        assert left_in(tmp_path) == left_in_by_git(tmp_path), written


def test_those_of_the_folders_above_count(tmp_path: Path) -> None:
    repository(
        tmp_path, {".gitignore": "old.py\n/new/b.py\n", "new/a.py": "", "new/b.py": "", "new/old.py": ""}
    )
    assert left_in(tmp_path / "new") == ["a.py"]


def test_a_folder_that_is_given_is_searched(tmp_path: Path) -> None:
    repository(tmp_path, {".gitignore": "build/\n", "build/a.py": PYTHON})
    assert left_in(tmp_path) == [] and left_in(tmp_path / "build") == ["a.py"]


def test_without_a_repository_they_count_as_well(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("old.py\n")
    for name in ("a.py", "old.py"):
        (tmp_path / name).write_text(PYTHON)
    assert left_in(tmp_path) == ["a.py"] and list_files(tmp_path).how == "folders"


def test_nested_repositories_and_environments_are_left_out(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": "", "mine/pyvenv.cfg": "", "mine/b.py": "", ".github/c.py": ""})
    repository(tmp_path / "other", {"d.py": ""})
    assert left_in(tmp_path) == [".github/c.py", "a.py"]


def test_patterns_that_keep_git_busy_are_respected(tmp_path: Path) -> None:
    deep = "/".join(["a"] * 30)
    hostile = "/".join(["**", "a"] * 28) + "/c"  # git tries two to the power of 28 ways
    repository(tmp_path, {".gitignore": f"{hostile}\nold.py\n", f"{deep}/a.py": PYTHON, "old.py": PYTHON})
    listing = list_files(tmp_path)
    assert [file.name for file in listing.files] == [f"{deep}/a.py"]
    assert listing.how == "git" and listing.skipped == ()


@pytest.mark.parametrize("pattern", ["*a" * 120 + "b", "a*" * 120 + "[!a]", "*" + "a" * 120 + "b"])
def test_stars_that_go_back_would_never_end(pattern: str) -> None:
    assert patterns_in(pattern).verdict("a" * 240, folder=False, work=MatchingCost()) is None


def test_what_costs_too_much_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ignore_patterns, "MAX_WORK", 1_000)
    many = "\n".join(f"*x{number}*" for number in range(500))
    repository(tmp_path, {".gitignore": f"old.py\n{many}\n", "a.py": PYTHON, "b/old.py": PYTHON})
    listing = list_files(tmp_path)
    assert [file.name for file in listing.files] == ["a.py"]
    assert [(each.file, each.reason) for each in listing.skipped] == [
        (".gitignore", "its patterns take too long; those with wildcards leave nothing out from . on")
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_link_in_their_place_costs_a_line(tmp_path: Path) -> None:
    repository(tmp_path, {"a.py": PYTHON, "b/a.py": PYTHON, "c/patterns": "a.py\n", "c/a.py": PYTHON})
    os.mkfifo(tmp_path / "b" / ".gitignore")
    (tmp_path / "c" / ".gitignore").symlink_to("patterns")
    (tmp_path / ".gitignore").write_bytes(b"#" * 300_000)
    listing = list_files(tmp_path)
    assert [file.name for file in listing.files] == ["a.py", "b/a.py", "c/a.py"]
    assert {each.file: each.reason for each in listing.skipped} == {
        ".gitignore": "larger than 200 kB",
        "b/.gitignore": "not a regular file",
        "c/.gitignore": "not a regular file",
    }


def test_names_that_are_no_text(tmp_path: Path) -> None:
    if shutil.which("git") is None or os.name != "posix":
        pytest.skip("there is no git, or names of files are text")
    repository(tmp_path, {"a.py": PYTHON})
    (tmp_path / os.fsdecode(b"gr\xf6n.py")).write_text(PYTHON)
    (tmp_path / ".gitignore").write_bytes(b"gr\xf6n.*\n")
    assert left_in(tmp_path) == ["a.py"]

"""House rules that a machine can see."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("assistant", "corpus", "index", "ingest", "ui")
PROGRAMS = "assistant/checks/programs/"  # they run apart, with whatever torch is there
LONGEST = 300  # lines of a Python file
REGISTRIES = re.compile(  # put together, so that this file names none
    "|".join(
        [r"\bpypi" + r"\.org", "pythonhosted" + r"\.org", "npmjs" + r"\.(org|com)", "deb" + r"\.debian\.org"]
    )
)
BINARY = {".npz", ".png", ".gif", ".ico", ".jpg", ".woff2"}


@lru_cache
def files() -> tuple[Path, ...]:
    """Every file of the project: those that git tracks, or would."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        pytest.skip("this is no git checkout")
    return tuple(path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file())


def python_files() -> Iterator[tuple[str, str]]:
    """Name and text of every Python file."""
    for path in files():
        if path.suffix == ".py":
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


@lru_cache
def project() -> dict[str, Any]:
    tables: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return tables


def test_no_file_is_too_long() -> None:
    assert not [(name, lines) for name, text in python_files() if (lines := text.count("\n")) > LONGEST]


def test_few_files_stand_beside_rooms() -> None:
    beside = {"assistant": 8}
    found = {package: sum(1 for _ in (ROOT / package).glob("*.py")) for package in beside}
    assert [package for package, most in beside.items() if found[package] > most] == []


def test_only_the_command_line_prints() -> None:
    def prints(text: str) -> bool:
        calls = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
        return any(isinstance(called, ast.Name) and called.id == "print" for called in calls)

    free = ("ui/cli", "benchmarks/", "training/", "tests/")
    assert not [name for name, text in python_files() if not name.startswith(free) and prints(text)]


def test_no_cached_property_is_without_a_lock() -> None:
    """The one of functools takes none since Python 3.12, and before one for all instances."""

    def unlocked(text: str) -> bool:
        return any(
            (isinstance(node, ast.ImportFrom) and any(a.name == "cached_property" for a in node.names))
            or (isinstance(node, ast.Attribute) and node.attr == "cached_property")
            for node in ast.walk(ast.parse(text))
        )

    ours = tuple(f"{package}/" for package in PACKAGES)
    assert not [name for name, text in python_files() if name.startswith(ours) and unlocked(text)]


def test_every_package_is_installed() -> None:
    parents = {
        Path(name).parent.as_posix()
        for name, _ in python_files()
        if name.startswith(tuple(f"{package}/" for package in PACKAGES)) and not name.startswith(PROGRAMS)
    }
    find = project()["tool"]["setuptools"]["packages"]["find"]
    assert find == {"include": [f"{package}*" for package in PACKAGES], "namespaces": False}
    assert not [parent for parent in sorted(parents) if not (ROOT / parent / "__init__.py").is_file()]


def test_every_data_file_is_installed() -> None:
    patterns = project()["tool"]["setuptools"]["package-data"]
    listed = {
        path
        for package, globs in patterns.items()
        for glob in globs
        for path in ROOT.joinpath(*package.split(".")).glob(glob)
    }
    data = {path for path in files() if path.relative_to(ROOT).parts[0] in PACKAGES and path.suffix != ".py"}
    assert sorted(data - listed) == []


def test_no_registry_is_named() -> None:
    texts = (path for path in files() if path.suffix not in BINARY)
    assert not [
        path.relative_to(ROOT).as_posix()
        for path in texts
        if REGISTRIES.search(path.read_text(encoding="utf-8", errors="replace"))
    ]


def test_every_import_is_a_dependency() -> None:
    """What the packages import is installed with them, not by chance with something else."""
    modules = {  # where a distribution's module has another name
        "faiss-cpu": "faiss",
        "grpcio": "grpc",
        "markdown-it-py": "markdown_it",
        "opencc-python-reimplemented": "opencc",
        "opentelemetry-api": "opentelemetry",
        "slack-bolt": "slack_bolt",
        "slack-sdk": "slack_sdk",
    }
    extras = project()["project"]["optional-dependencies"]
    used = ("slack", "llm", "local-model", "mcp", "milvus", "ops", "dask")
    lines = [*project()["project"]["dependencies"], *(line for name in used for line in extras[name])]
    names = [Requirement(line).name for line in lines]
    declared = {modules.get(name, name.replace("-", "_")) for name in names}
    imported = {
        name.partition(".")[0]
        for path, text in python_files()
        if path.startswith(tuple(f"{package}/" for package in PACKAGES)) and not path.startswith(PROGRAMS)
        for node in ast.walk(ast.parse(text))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert sorted(imported - set(sys.stdlib_module_names) - set(PACKAGES) - declared) == []


def test_no_two_public_classes_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for name, text in python_files():
        if name.startswith(tuple(f"{package}/" for package in PACKAGES)) and not name.startswith(PROGRAMS):
            for node in ast.parse(text).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(name)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}

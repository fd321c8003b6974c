"""Imports: they point one way, and what is heavy waits until it is needed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from assistant.factory import AssistantFactory

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("corpus", "ingest", "index", "assistant", "ui")  # each may import those before it
#: The rooms of a package, lowest first: each may import those before it. A module beside rooms is one too.
ROOMS = {
    "index": "ranking resemblance scope dense lexical embedding storage milvus bulk search",
    "assistant": "sandbox configuration settings checks answer text applicability api_usage "
    "query reader verification llm evaluation retrieval timeline release_diff upgrade answering versions "
    "observation assistant factory feedback answer_checks",
    "ui": "shared operations agents slack web cli",
    "ui.cli": "progress options opening output consent text commands main",
    "ui.web": "components guard asking sessions api api_tab checks explore compare upgrade documents chat "
    "page probes stopping server",
}
HEAVY = {
    "dask",
    "distributed",
    "gradio",
    "langchain_core",
    "milvus_lite",
    "opentelemetry.sdk",
    "prometheus_client",
    "pymilvus",
    "langchain_text_splitters",
    "sentence_transformers",
    "slack_bolt",
    "slack_sdk",
    "torch",
    "trafilatura",
    "transformers",
}

ASK = """
import json, sys
from assistant import ask
answer = ask("Which backend does TCPStore use by default in 2.4?")
json.dump({"text": answer.text, "modules": [*sys.modules]}, sys.stdout)
"""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of every import of a file, those inside functions as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.relative_to(ROOT)}:{node.lineno} is a relative import"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def modules(package: str) -> dict[str, Path]:
    """The modules of a package by their full names; packages themselves by theirs."""
    paths = ROOT.joinpath(*package.split(".")).rglob("*.py")
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in paths
        if "programs" not in path.parts  # they run apart
    }


def imported_modules(package: str) -> dict[str, set[str]]:
    """For each module of a package, those of the package that it imports."""
    known = modules(package)
    return {
        module: {
            found
            for _, name in imports(path)
            for found in [name if name in known else name.rpartition(".")[0]]
            if found in known and found != module
        }
        for module, path in known.items()
    }


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_one_way(layer: str) -> None:
    above = {*LAYERS[LAYERS.index(layer) + 1 :], "tests", "scripts", "benchmarks"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted((ROOT / layer).rglob("*.py"))
        for line, name in imports(path)
        if name.partition(".")[0] in above
    ]
    assert not wrong


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_import_one_way(package: str) -> None:
    order = ROOMS[package].split()
    depth = package.count(".") + 1
    assert sorted(order) == sorted({name.split(".")[depth] for name in modules(package) if name != package})
    wrong = [
        f"{module} imports {found}"
        for module, others in imported_modules(package).items()
        for found in others
        for a, b in [(module.split(".")[depth : depth + 1], found.split(".")[depth : depth + 1])]
        if a and b and order.index(b[0]) > order.index(a[0])
    ]
    assert not wrong


@pytest.mark.parametrize("layer", LAYERS)
def test_no_circle_of_modules(layer: str) -> None:
    TopologicalSorter(imported_modules(layer)).prepare()  # raises CycleError


@pytest.mark.parametrize("layer", LAYERS)
def test_importing_a_package_costs_nothing_heavy(layer: str) -> None:
    code = f"import {layer}, sys, json; json.dump([*sys.modules], sys.stdout)"
    assert not HEAVY & set(json.loads(run(code)))


def test_an_answer_costs_nothing_heavy(factory: AssistantFactory) -> None:
    home = str(factory.settings.home)
    found = json.loads(run(ASK, TORCHNOTES_HOME=home, TORCHNOTES_SHIPPED_CORPUS="false"))
    assert "libuv" in found["text"]
    assert not HEAVY & set(found["modules"])


def run(code: str, **environment: str) -> str:
    """What a Python process of its own writes."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout

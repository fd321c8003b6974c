"""Imports: they point one way, and what is heavy waits until it is needed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.factory import AssistantFactory

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("corpus", "ingest", "index", "assistant", "ui")  # each may import those before it
HEAVY = {
    "gradio",
    "langchain_core",
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
    """Line and first name of every import of a file, those inside functions as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.relative_to(ROOT)}:{node.lineno} is a relative import"
            yield node.lineno, (node.module or "").partition(".")[0]


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_one_way(layer: str) -> None:
    above = {*LAYERS[LAYERS.index(layer) + 1 :], "tests", "scripts", "benchmarks"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted((ROOT / layer).rglob("*.py"))
        for line, name in imports(path)
        if name in above
    ]
    assert not wrong


@pytest.mark.parametrize("layer", LAYERS)
def test_importing_a_package_costs_nothing_heavy(layer: str) -> None:
    code = f"import {layer}, sys, json; json.dump([*sys.modules], sys.stdout)"
    assert not HEAVY & set(json.loads(run(code)))


def test_an_answer_costs_nothing_heavy(workshop: AssistantFactory) -> None:
    home = str(workshop.settings.home)
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

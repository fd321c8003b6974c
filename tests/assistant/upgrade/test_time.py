"""Hostile code is searched in a time that grows with its length, not with its square."""

from __future__ import annotations

import ast
import json
import time
from pathlib import Path

import pytest

from assistant.upgrade.guards import versioned_spans
from assistant.upgrade.notebooks import cells_of
from assistant.upgrade.pins import pins_in
from assistant.upgrade.reading import Part
from assistant.upgrade.search import Search
from assistant.upgrade.source_files import SourceFile
from assistant.upgrade.uses import read_code
from ingest.release import Release

SECONDS = 3.0  # of the processor; each took several times as long before
_PYTHON = SourceFile(Path("a.py"), "a.py", "python")
_WORKFLOW = SourceFile(Path("a.yml"), "a.yml", "shell")


@pytest.mark.parametrize("start", ["", "größe = 1\n", "größe = 1; "], ids=["lines", "text", "one line"])
def test_places_of_as_many_uses_as_a_file_can_hold(start: str) -> None:
    code = start + ("f(x); " if start.endswith(" ") else "f(x)\n") * 20_000
    part = Part(_PYTHON, code, None)
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    begun = time.thread_time()
    places = [part.place(node) for node in nodes]
    assert time.thread_time() - begun < SECONDS
    last = places[-1]
    assert last.line == code.count("\n") + (not code.endswith("\n"))
    assert code.split("\n")[last.line - 1][last.column - 1 : last.end_column - 1] == "f(x)"


def test_platforms_of_as_many_lines_as_a_file_can_hold() -> None:
    text = "python-version: 3.7\n" * 20_000
    begun = time.thread_time()
    found = Search(Release(2, 3), Release(2, 8), "en").text(_WORKFLOW, text)
    assert time.thread_time() - begun < SECONDS
    assert len(found) == 20_000 and found[-1].place.line == 20_000


def test_pins_of_a_lock_file_of_nothing_else() -> None:
    text = 'name = "torch"\nversion = "2.0"\n' * 60_000
    begun = time.thread_time()
    pins = [*pins_in("uv.lock", text)]
    assert time.thread_time() - begun < SECONDS
    assert (pins[0].place, pins[-1].place) == ("uv.lock:1", "uv.lock:119999")


@pytest.mark.parametrize(
    "code",
    [
        "import torch" + ".a" * 30_000,
        "import torch\na0 = torch\n" + "".join(f"a{n + 1} = a{n}.b\n" for n in range(5_000)),
        "import torch\n" + "torch" + f".{'a' * 2_000}" * 100,
    ],
    ids=["import", "aliases", "attributes"],
)
def test_names_that_no_package_has_are_no_uses(code: str) -> None:
    begun = time.thread_time()
    uses = [use for use in read_code(code).uses if not use.member]
    assert max((len(use.names[0]) for use in uses), default=0) < 1_000
    assert time.thread_time() - begun < SECONDS


def test_conditions_that_hold_each_other() -> None:
    code = "(1 if " * 50 + f"[{'x,' * 20_000}]" + " else 1)" * 50
    nodes = [*ast.walk(ast.parse(code))]
    begun = time.thread_time()
    assert versioned_spans(nodes) == []
    assert time.thread_time() - begun < SECONDS


def test_lines_of_a_notebook_that_escapes_all_its_strings() -> None:
    text = json.dumps({"cells": [{"cell_type": "code", "source": ["\u00e9\n"] * 50_000}]}, indent=0)
    begun = time.thread_time()
    (cell,) = cells_of(text)
    assert time.thread_time() - begun < SECONDS
    assert cell.lines[0] == 6 and cell.lines[49_999] == 50_005


def test_lines_of_as_many_cells_as_a_notebook_can_hold() -> None:
    one = {"cell_type": "code", "source": ["x\n"], "outputs": "-" * 200}
    text = json.dumps({"cells": [one] * 20_000}, indent=0)
    begun = time.thread_time()
    last = [*cells_of(text)][-1]
    assert time.thread_time() - begun < SECONDS
    assert text.split("\n")[last.lines[0] - 1] == '"x\\n"'


def test_pins_of_lines_of_blanks() -> None:
    text = ("torch" + " " * 990 + "\n") * 500
    begun = time.thread_time()
    (pin,) = pins_in("requirements.txt", text + "torch  >=  2.1\n")
    assert pin.place == "requirements.txt:501"
    assert time.thread_time() - begun < SECONDS

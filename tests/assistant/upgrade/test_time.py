"""Hostile code is searched in a time that grows with its length, not with its square."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest

from assistant.upgrade.pins import pins_in
from assistant.upgrade.reading import Part
from assistant.upgrade.search import Search
from assistant.upgrade.source_files import SourceFile
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

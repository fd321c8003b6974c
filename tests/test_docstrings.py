"""Every public function of the product documents all of its arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("assistant", "corpus", "index", "ingest", "ui")
#: Methods that a library declares and documents.
DECLARED = {"connection_made", "forward", "preprocess", "save", "update"}
#: Its help is its docstring, and the options document themselves.
COMMAND = re.compile(r"\b(?:command|group|option|argument)\(")


def public_functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Public functions and methods of public classes; not those within functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_functions(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            command = any(COMMAND.search(ast.unparse(each)) for each in node.decorator_list)
            yield from () if command else (node,)


def undocumented(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Arguments that the docstring does not name."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    told = ast.get_docstring(function) or ""
    documented = {
        name for line in re.findall(r"^\s+([\w, *]+):(?:\s|$)", told, re.M) for name in line.split(", ")
    }
    documented |= {*re.findall(r"`(\w+)`", told)}
    return [name for name in names if name not in {"self", "cls"} | documented]


@pytest.mark.parametrize("package", PACKAGES)
def test_arguments_are_documented(package: str) -> None:
    missing = [
        f"{path.relative_to(ROOT)}:{function.lineno} {name}"
        for path in sorted((ROOT / package).rglob("*.py"))
        if "programs" not in path.parts  # they run apart
        for function in public_functions(ast.parse(path.read_text(encoding="utf-8")))
        if function.name not in DECLARED
        for name in undocumented(function)
    ]
    assert missing == []


def test_a_missing_argument_is_noticed() -> None:
    text = 'def told(one, two, three):\n    """Tell `three`.\n\n    Args:\n        one: a thing.\n    """'
    (function,) = public_functions(ast.parse(text))
    assert undocumented(function) == ["two"]

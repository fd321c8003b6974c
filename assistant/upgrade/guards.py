"""Code that runs only where it fits: behind a check of the version, or prepared for a missing name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

Span = tuple[int, int]

_MISSING = {"ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "TypeError"}
_CHECK = re.compile(
    r"version|\bhasattr\(|\bgetattr\(|\bfind_spec\(|inspect\.signature|\bTORCH_?\d|"
    r"_(?:AVAILABLE|GREATER|SUPPORTED|EXISTS)|\b(?:is|has|supports?)_\w*(?:available|greater|at_least|support)|\bHAS_",
    re.I,
)
_LONGEST = 2_000  # characters of a condition


def guarded_spans(nodes: Iterable[ast.AST]) -> list[Span]:
    """Return the lines of a file that stand behind a guard, as (first, last).

    Guards are `try` with an `except` for missing names, and conditions on versions or on whether a name
    exists, both branches.

    Args:
        nodes: all nodes of the file.
    """
    spans: list[Span] = []
    for node in nodes:
        if isinstance(node, ast.Try) and _expects_missing(node):
            spans.append((node.lineno, node.end_lineno or node.lineno))
        elif isinstance(node, (ast.If, ast.IfExp)) and _checks(node.test):
            spans.append((node.lineno, node.end_lineno or node.lineno))
    return spans


def catching_spans(nodes: Iterable[ast.AST]) -> list[Span]:
    """Return the lines whose RuntimeError is caught: there a change of the exception matters.

    Args:
        nodes: all nodes of the file.
    """
    return [
        (node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno)
        for node in nodes
        if isinstance(node, ast.Try) and "RuntimeError" in _caught(node)
    ]


def is_guarded(line: int, spans: Iterable[Span]) -> bool:
    """Return whether a line stands behind a guard.

    Args:
        line: the line.
        spans: see `guarded_spans`.
    """
    return any(first <= line <= last for first, last in spans)


def _expects_missing(node: ast.Try) -> bool:
    names = _caught(node)
    if names & _MISSING:
        return True
    only_imports = all(isinstance(each, (ast.Import, ast.ImportFrom, ast.Assign)) for each in node.body)
    return only_imports and bool(names & {"Exception", "BaseException"})


def _caught(node: ast.Try) -> set[str]:
    names: set[str] = set()
    for handler in node.handlers:
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names |= {each.id for each in types if isinstance(each, ast.Name)}
        names |= {"Exception"} if handler.type is None else set()
    return names


def _checks(test: ast.expr) -> bool:
    first, last = test.lineno, test.end_lineno or test.lineno
    if last - first > 20:
        return False
    try:
        return _CHECK.search(ast.unparse(test)[:_LONGEST]) is not None
    except RecursionError:
        return False

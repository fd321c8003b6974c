"""Code that runs only where it fits: behind a check of the version, or prepared for a missing name."""

from __future__ import annotations

import ast
import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

Span = tuple[int, int]

_MISSING = {"ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "TypeError"}
#: A condition on the version of torch or Python, on what a module of torch has, or on nothing that runs.
_CHECK = re.compile(
    r"__version__|version_info|\bversion\.parse\(|LooseVersion|\bVersion\(|RequirementCache|compare_version|"
    r"(?:torch|pt)_?version|version_?torch|\bis_torch_(?:version|greater|less|at_least)|torch_(?:at_least|greater|after|before)|"
    r"TORCH_?(?:GREATER|LESS|GE_|GT_|LE_|LT_|MAJOR|MINOR|\d)|find_spec\(|inspect\.signature\(|\bTYPE_CHECKING\b|"
    r"\bin (?:dir|vars)\(|"
    r"\b(?:hasattr|getattr)\(\s*(?:torch|functorch|nn|F|optim|dist|lr_scheduler)\b",
    re.I,
)
_LONGEST = 2_000  # characters of a condition, and parts of it; conditions may hold each other


def versioned_spans(nodes: Iterable[ast.AST]) -> list[Span]:
    """Return the lines of conditions on versions, or on whether a name exists, both branches.

    What follows a branch that leaves the function is the other branch.

    Args:
        nodes: all nodes of the file.
    """
    return _merged(span for node in nodes for span in _versioned(node))


def _versioned(node: ast.AST) -> Iterator[Span]:
    if isinstance(node, (ast.If, ast.IfExp)):
        if _checks(node.test) or (isinstance(node, ast.IfExp) and _names_its_value(node)):
            yield _span(node)
    elif isinstance(node, ast.BoolOp):
        if any(map(_checks, node.values[:-1])):
            yield _span(node)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for each in node.body[:-1]:
            if isinstance(each, ast.If) and isinstance(each.body[-1], ast.Return) and _checks(each.test):
                yield each.lineno, _span(node)[1]


def asked_spans(nodes: Iterable[ast.AST]) -> dict[str, list[Span]]:
    """Return the lines of conditions on whether any object has an attribute, by the name of the attribute.

    Args:
        nodes: all nodes of the file.
    """
    found: dict[str, list[Span]] = {}
    for node in nodes:
        if isinstance(node, (ast.If, ast.IfExp)):
            span, tests = _span(node), [node.test]
        elif isinstance(node, ast.BoolOp):
            span, tests = _span(node), node.values[:-1]
        else:
            continue
        for each in (each for test in tests for each in islice(ast.walk(test), _LONGEST)):
            if isinstance(each, ast.Call) and getattr(each.func, "id", "") in ("hasattr", "getattr"):
                for name in each.args[1:2]:
                    if isinstance(name, ast.Constant) and isinstance(name.value, str):
                        found.setdefault(name.value, []).append(span)
    return {name: _merged(spans) for name, spans in found.items()}


def attempted_spans(nodes: Iterable[ast.AST]) -> list[Span]:
    """Return the lines of `try` with an `except` for missing names or arguments, all branches.

    Args:
        nodes: all nodes of the file.
    """
    return _merged(_span(node) for node in nodes if isinstance(node, ast.Try) and _expects_missing(node))


def catching_spans(nodes: Iterable[ast.AST]) -> list[Span]:
    """Return the lines whose RuntimeError is caught: there a change of the exception matters.

    Args:
        nodes: all nodes of the file.
    """
    return _merged(
        (node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno)
        for node in nodes
        if isinstance(node, ast.Try) and "RuntimeError" in _caught(node)
    )


def within(line: int, spans: Sequence[Span]) -> bool:
    """Return whether a line is in one of several spans.

    Args:
        line: the line.
        spans: sorted and apart, as the other functions return them.
    """
    at = bisect_right(spans, (line, sys.maxsize)) - 1
    return at >= 0 and line <= spans[at][1]


def _span(node: ast.stmt | ast.expr) -> Span:
    return node.lineno, node.end_lineno or node.lineno


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Sort spans and join those that overlap, so that a line is looked up in logarithmic time."""
    merged: list[Span] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


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


def _names_its_value(node: ast.IfExp) -> bool:
    """Return whether a choice is made by name, as `torch.a if chosen == "torch.a" else torch.b`."""
    if not isinstance(node.test, ast.Compare) or not isinstance(node.body, ast.Attribute):
        return False
    named = {each.value for each in node.test.comparators if isinstance(each, ast.Constant)}
    return bool(named) and ast.unparse(node.body) in named


def _checks(test: ast.expr) -> bool:
    first, last = test.lineno, test.end_lineno or test.lineno
    if last - first > 20 or next(islice(ast.walk(test), _LONGEST, None), None) is not None:
        return False
    try:
        return _CHECK.search(ast.unparse(test)[:_LONGEST]) is not None
    except RecursionError:
        return False

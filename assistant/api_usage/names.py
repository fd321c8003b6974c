"""Names of torch's API in Python code, found by its syntax, and in answers, found in code spans.

Nothing is imported or executed: names are resolved from imports and plain aliases.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeGuard

from assistant.api_usage.scopes import CodeScope, is_scope

ROOTS = ("torch", "functorch")  # packages of torch's API
MOST = 400  # maximum number of names per text
#: Conventional abbreviations in answers.
_SHORT = {"nn": "torch.nn", "F": "torch.nn.functional"}
_DOTTED = re.compile(
    rf"(?<![\w./\\-])(?:{'|'.join((*ROOTS, *_SHORT))})(?:\.[A-Za-z_]\w*)+(?![\w/]|\.[A-Za-z_])", re.A
)
_SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)")
_FENCE = re.compile(r"^(?P<mark>```+|~~~+)[^\n]*\n(?P<code>.*?)^(?P=mark)", re.M | re.S)
_FILES = ("py", "md", "so", "pt", "pt2", "pth", "cpp", "h", "txt", "html", "org", "git", "log")


@dataclass(frozen=True, slots=True)
class ApiName:
    """A name of torch used in a text.

    Attributes:
        name: full name, such as "torch.nn.functional.linear".
        written: as first written in the text, such as "F.linear".
        lines: lines where it occurs, from 1.
        imported: whether an import names it.
        keywords: keyword arguments of its calls.
    """

    name: str
    written: str
    lines: tuple[int, ...]
    imported: bool = False
    keywords: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return asdict(self)


def names_in(source: str | bytes) -> tuple[ApiName, ...]:
    """Return the names of torch in Python code, in order of first use, at most `MOST`.

    Dynamic uses (`getattr`, methods of tensors, `from torch import *`) are not found.

    Args:
        source: Python code.

    Raises:
        SyntaxError: the code is not valid Python.
        ValueError, RecursionError: it contains null bytes, or is nested too deeply.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escape sequences in the user's strings
        tree = ast.parse(source)
    return _merged(sorted(_uses(CodeScope(tree)), key=lambda use: use.line))


def names_in_answer(text: str) -> tuple[ApiName, ...]:
    """Return the names of torch in the code spans and blocks of an answer, and full names outside code.

    In code, `nn.` and `F.` mean torch.nn and torch.nn.functional.

    Args:
        text: answer or note in Markdown.
    """
    found: list[_Use] = []

    def take(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1
        try:
            inside = names_in(textwrap.dedent(match["code"]))
        except (SyntaxError, ValueError, RecursionError):  # an abbreviated example, searched as text
            return match[0]
        found.extend(
            _Use(n.name, n.written, line + at, n.imported, n.keywords) for n in inside for at in n.lines
        )
        return "\n" * match[0].count("\n")

    rest = _FENCE.sub(take, text)
    spans = [(match.start(2), match.end(2)) for match in _SPAN.finditer(rest)]
    for match in _DOTTED.finditer(rest):
        name, root = match[0], match[0].partition(".")[0]
        in_code = any(start <= match.start() < end for start, end in spans)
        if name.rpartition(".")[2] in _FILES or (root in _SHORT and not in_code):
            continue
        full = name.replace(root, _SHORT.get(root, root), 1)
        found.append(_Use(full, name, rest.count("\n", 0, match.start()) + 1))
    return _merged(sorted(found, key=lambda use: use.line))


def is_api_name(text: str) -> bool:
    """Return whether a text is a full name of torch, such as torch.compile.

    Args:
        text: any text.
    """
    root, dot, rest = text.partition(".")
    return bool(dot) and root in ROOTS and text.isascii() and all(map(str.isidentifier, rest.split(".")))


@dataclass(frozen=True, slots=True)
class _Use:
    name: str
    written: str
    line: int
    imported: bool = False
    keywords: tuple[str, ...] = ()


def _uses(scope: CodeScope) -> Iterator[_Use]:
    """Yield the uses of torch names in a scope and the scopes inside it."""
    hidden: set[int] = set()  # ids of nodes that are part of a longer name
    calls: dict[int, tuple[str, ...]] = {}
    for node in scope.nodes:
        if isinstance(node, ast.Call):
            calls[id(node.func)] = tuple(each.arg for each in node.keywords if each.arg)
        if isinstance(node, ast.Import):
            for each in node.names:
                yield from _of_torch(_Use(each.name, each.name, node.lineno, imported=True))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                whole = node.module if each.name == "*" else f"{node.module}.{each.name}"
                yield from _of_torch(_Use(whole, each.name, node.lineno, imported=True))
        elif isinstance(node, ast.Attribute) or _is_read(node):
            if isinstance(node, ast.Attribute):
                hidden.add(id(node.value))
            if id(node) not in hidden and (name := scope.meaning(node)):
                yield from _of_torch(
                    _Use(name, ast.unparse(node), node.lineno, False, calls.get(id(node), ()))
                )
        if is_scope(node):
            yield from _uses(CodeScope(node, scope))


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _of_torch(use: _Use) -> Iterator[_Use]:
    if is_api_name(use.name):
        yield use


def _merged(uses: Iterable[_Use]) -> tuple[ApiName, ...]:
    """Merge the uses of each name."""
    found: dict[str, list[_Use]] = {}
    for use in uses:
        found.setdefault(use.name, []).append(use)
    return tuple(
        ApiName(
            name,
            each[0].written,
            tuple(sorted({use.line for use in each})),
            any(use.imported for use in each),
            tuple(dict.fromkeys(keyword for use in each for keyword in use.keywords)),
        )
        for name, each in list(found.items())[:MOST]
    )

"""The API names of torch that a text uses: Python code by its syntax, an answer by its code spans.

Nothing is imported and nothing runs: what a name stands for is read from imports and plain aliases.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, TypeGuard

from assistant.api_usage.scopes import Scope, is_scope, own_nodes

ROOTS = ("torch", "functorch")  # the packages whose names are API of torch
MOST = 400  # names that are looked up of one text
#: What answers write short, by convention.
_SHORT = {"nn": "torch.nn", "F": "torch.nn.functional"}
_DOTTED = re.compile(
    rf"(?<![\w./\\-])(?:{'|'.join((*ROOTS, *_SHORT))})(?:\.[A-Za-z_]\w*)+(?![\w/]|\.[A-Za-z_])", re.A
)
_SPAN = re.compile(r"(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)")
_FENCE = re.compile(r"^(?P<mark>```+|~~~+)[^\n]*\n(?P<code>.*?)^(?P=mark)", re.M | re.S)
_FILES = ("py", "md", "so", "pt", "pt2", "pth", "cpp", "h", "txt", "html", "org", "git", "log")


@dataclass(frozen=True, slots=True)
class ApiName:
    """A name of torch that a text uses.

    Attributes:
        name: in full: "torch.nn.functional.linear".
        written: as the text has it first: "F.linear".
        lines: where it stands, from 1.
        imported: it is named by an import.
        keywords: arguments that calls give it by name.
    """

    name: str
    written: str
    lines: tuple[int, ...]
    imported: bool = False
    keywords: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return asdict(self)


def names_in(source: str | bytes) -> tuple[ApiName, ...]:
    """The names of torch that Python code uses, in the order in which they come.

    What is reached otherwise (`getattr`, methods of a tensor, `from torch import *`) is not seen.

    Raises:
        SyntaxError: it is no Python.
        ValueError, RecursionError: it holds null bytes, or is nested too deeply.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a string's escapes, which are the user's own business
        tree = ast.parse(source)
    return _merged(sorted(_uses(Scope(tree)), key=lambda use: use.line))


def names_in_answer(text: str) -> tuple[ApiName, ...]:
    """The names of torch in an answer or a note: in its code spans and blocks, and bare where in full.

    `nn.` and `F.` are read as torch.nn and torch.nn.functional, as everybody writes them.
    """
    found: list[_Use] = []

    def take(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start()) + 1
        try:
            inside = names_in(textwrap.dedent(match["code"]))
        except (SyntaxError, ValueError, RecursionError):  # a shortened example: read as words
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
    """Whether a text is a name of torch in full, such as torch.compile."""
    root, dot, rest = text.partition(".")
    return bool(dot) and root in ROOTS and text.isascii() and all(map(str.isidentifier, rest.split(".")))


@dataclass(frozen=True, slots=True)
class _Use:
    name: str
    written: str
    line: int
    imported: bool = False
    keywords: tuple[str, ...] = ()


def _uses(scope: Scope) -> Iterator[_Use]:
    """The uses of torch's names in a scope and in those inside it."""
    hidden: set[int] = set()  # parts of a longer name, which are no use of their own
    calls: dict[int, tuple[str, ...]] = {}
    for node in own_nodes(scope.node):
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
            yield from _uses(Scope(node, scope))


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _of_torch(use: _Use) -> Iterator[_Use]:
    if is_api_name(use.name):
        yield use


def _merged(uses: Iterable[_Use]) -> tuple[ApiName, ...]:
    """Uses of one name as one."""
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

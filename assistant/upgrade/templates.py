"""Templates of Python code: whether an expression has the form of one.

A template is Python. Dotted names of torch stand for the API however the code imports it; `_` is any
expression, `...` any further arguments, `_any(a, b)` one of several, `_each` an expression with the variable
of a loop around it. Of other names that begin with `_` each is one name of the code, or what its own
templates tell. A local variable stands for what it was assigned last, where that is certain to hold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache

from assistant.api_usage.names import ROOTS
from assistant.upgrade.flow import Flow
from assistant.upgrade.torch_types import canonical

_COMMUTATIVE = (ast.Add, ast.Mult)
_MOST_VARIABLES = 4  # that are followed from one to the next
#: Roots of expressions that a template can have, beside classes.
ROOT_NODES = (ast.Call, ast.BinOp, ast.IfExp, ast.Compare, ast.Attribute)


@lru_cache(maxsize=512)
def parsed_template(text: str) -> ast.AST:
    """Return the syntax tree of a template: an expression, or a class.

    Args:
        text: the template.

    Raises:
        SyntaxError: it is not Python.
    """
    first = ast.parse(text).body[0]
    return first.value if isinstance(first, ast.Expr) else first


@lru_cache(maxsize=512)
def words_of(text: str) -> frozenset[str]:
    """Return the words that all code of the form of a template holds.

    Args:
        text: the template.
    """
    return frozenset(_words(parsed_template(text)))


class Matcher:
    """Comparison of the code of a scope with templates.

    Args:
        flow: the scope.
        where: templates of named wildcards.
        apart: templates that the other named wildcards must not have.
    """

    def __init__(self, flow: Flow, where: Mapping[str, Iterable[str]], apart: Iterable[str]) -> None:
        self._flow = flow
        self._where = {name: [parsed_template(each) for each in texts] for name, texts in where.items()}
        self._apart = [parsed_template(each) for each in apart]

    def matches(self, template: str, node: ast.AST) -> bool:
        """Return whether a node has the form of a template.

        Args:
            template: the template.
            node: the node.

        Raises:
            RecursionError: the code is nested too deeply.
        """
        want = parsed_template(template)
        if isinstance(want, ast.ClassDef):
            return isinstance(node, ast.ClassDef) and self._is_class(want, node)
        return self._same(want, node, {})

    def _is_class(self, want: ast.ClassDef, node: ast.ClassDef) -> bool:
        bases = {dotted(base) for base in want.bases}
        return node.name == want.name and not bases.isdisjoint(self._flow.bases(node))

    def _same(self, want: ast.AST, node: ast.AST, named: dict[str, str], steps: int = 0) -> bool:
        if isinstance(want, ast.Name) and want.id.startswith("_"):
            return self._wildcard(want.id, node, named)
        if _is_any(want):
            return self._one_of(want.args, node, named, steps)  # type: ignore[attr-defined]
        if name := dotted(want):
            return isinstance(node, (ast.Name, ast.Attribute)) and self._flow.name(node) == canonical(name)
        if isinstance(want, ast.Name) and isinstance(node, ast.Name):
            return want.id == node.id
        if isinstance(node, ast.Name) and steps < _MOST_VARIABLES:
            value = self._flow.assigned(node)
            return value is not None and self._same(want, value, named, steps + 1)
        if type(want) is not type(node):
            return False
        if isinstance(want, ast.Call) and isinstance(node, ast.Call):
            return self._same(want.func, node.func, named) and self._arguments(want, node, named)
        if isinstance(want, ast.Constant) and isinstance(node, ast.Constant):
            return type(want.value) is type(node.value) and want.value == node.value
        if isinstance(want, ast.BinOp) and isinstance(want.op, _COMMUTATIVE) and isinstance(node, ast.BinOp):
            pairs = ((node.left, node.right), (node.right, node.left))
            return type(want.op) is type(node.op) and any(
                self._both((want.left, left), (want.right, right), named) for left, right in pairs
            )
        return self._fields(want, node, named)

    def _both(
        self, one: tuple[ast.AST, ast.AST], other: tuple[ast.AST, ast.AST], named: dict[str, str]
    ) -> bool:
        tried = dict(named)
        if self._same(*one, tried) and self._same(*other, tried):
            named.update(tried)
            return True
        return False

    def _one_of(
        self, templates: Iterable[ast.AST], node: ast.AST, named: dict[str, str], steps: int = 0
    ) -> bool:
        for each in templates:
            tried = dict(named)
            if self._same(each, node, tried, steps):
                named.update(tried)
                return True
        return False

    def _wildcard(self, name: str, node: ast.AST, named: dict[str, str]) -> bool:
        if name == "_":
            return True
        if name == "_each":
            return self._flow.varies(node)
        if name in self._where:
            return self._one_of(self._where[name], node, named)
        path = _path(node)
        if not path or named.setdefault(name, path) != path:
            return False
        return not self._one_of(self._apart, node, {})

    def _arguments(self, want: ast.Call, node: ast.Call, named: dict[str, str]) -> bool:
        """Return whether a call has the arguments of a template; a keyword may be given by position."""
        open_ended = any(_is_ellipsis(each) for each in want.args)
        wanted = [each for each in want.args if not _is_ellipsis(each)]
        if len(node.args) < len(wanted) or any(isinstance(each, ast.Starred) for each in node.args):
            return False
        if not open_ended and len(node.args) + len(node.keywords) != len(wanted) + len(want.keywords):
            return False
        if not all(self._same(each, node.args[at], named) for at, each in enumerate(wanted)):
            return False
        given = {each.arg: each.value for each in node.keywords}
        for keyword in want.keywords:
            values = [given[keyword.arg]] if keyword.arg in given else node.args[len(wanted) :]
            if not any(self._one_of([keyword.value], value, named) for value in values):
                return False
        return True

    def _fields(self, want: ast.AST, node: ast.AST, named: dict[str, str]) -> bool:
        for field in want._fields:
            first, second = getattr(want, field, None), getattr(node, field, None)
            if field == "ctx":
                continue
            if isinstance(first, list) and isinstance(second, list):
                if len(first) != len(second):
                    return False
                if not all(self._same(one, other, named) for one, other in zip(first, second, strict=True)):
                    return False
            elif isinstance(first, ast.AST) and isinstance(second, ast.AST):
                if not self._same(first, second, named):
                    return False
            elif first != second:
                return False
        return True


def dotted(node: ast.AST) -> str:
    """Return the dotted name of torch that an expression of a template is, "" for another.

    Args:
        node: the expression.
    """
    path = _path(node)
    return path if path.partition(".")[0] in ROOTS and "." in path else ""


def _path(node: ast.AST) -> str:
    """Return a name with its attributes, "" for another expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _is_any(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_any"


def _is_ellipsis(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


def _words(node: ast.AST) -> Iterable[str]:
    if _is_any(node):
        return
    if isinstance(node, ast.ClassDef):
        yield node.name
        return
    if name := dotted(node):
        yield name.rpartition(".")[2]
        return
    if isinstance(node, ast.Attribute):
        yield node.attr
    if isinstance(node, ast.keyword) and node.arg not in (None, "dim", "attn_mask", "src", "dst"):
        yield node.arg
    for child in ast.iter_child_nodes(node):
        yield from _words(child)

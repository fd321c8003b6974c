"""Scopes of Python code: what each local name stands for, as far as imports and plain assignments tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_NAMED = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)


@dataclass
class Scope:
    """A module, a function or a class.

    Attributes:
        node: its code.
        parent: the scope around it; None for the module.
        bound: what each of its names stands for: a dotted name, or None where that is not plain.
    """

    node: ast.AST
    parent: Scope | None = None
    bound: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for child in own_nodes(self.node):
            for name, meaning in _bindings(child):
                self._bind(name, meaning)
        if isinstance(self.node, _Function):
            given = self.node.args
            for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
                if argument is not None:
                    self._bind(argument.arg, None)
        # An alias is plain only where all that it is made of is known, so it comes after the imports.
        for child in own_nodes(self.node):
            if (alias := _alias(child)) and alias[0] not in self.bound:
                self._bind(alias[0], self.meaning(alias[1]))
            elif alias:
                self._bind(alias[0], None)

    def meaning(self, node: ast.expr) -> str | None:
        """The dotted name that an expression such as `F.linear` stands for; None where it is not plain."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        root = self._looked_up(node.id)
        return ".".join([root, *reversed(parts)]) if root else None

    def _looked_up(self, name: str) -> str | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope.bound[name]
            scope = scope.parent
        return None

    def _bind(self, name: str, meaning: str | None) -> None:
        """A name that stands for two things stands for none that can be told."""
        self.bound[name] = meaning if self.bound.get(name, meaning) == meaning else None


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope in the order of the text, functions and classes inside it as one node each."""
    waiting = [*reversed(_inside(node))]
    while waiting:
        yield (child := waiting.pop())
        waiting += reversed(_outside(child) if is_scope(child) else [*ast.iter_child_nodes(child)])


def is_scope(node: ast.AST) -> bool:
    """Whether a node has names of its own."""
    return isinstance(node, (*_Function, ast.ClassDef))


def _inside(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Lambda):
        return [node.body]
    body: list[ast.AST] = getattr(node, "body", [])
    return body


def _outside(node: ast.AST) -> list[ast.AST]:
    """What of a function or a class is read in the scope around it: decorators, bases, defaults."""
    inside = {id(child) for child in _inside(node)}
    return [child for child in ast.iter_child_nodes(node) if id(child) not in inside]


def _bindings(node: ast.AST) -> Iterator[tuple[str, str | None]]:
    """The names that a node gives a meaning to, plain assignments left for later."""
    if isinstance(node, ast.Import):
        for each in node.names:
            yield (each.asname, each.name) if each.asname else (each.name.partition(".")[0],) * 2
    elif isinstance(node, ast.ImportFrom):
        for each in node.names:
            yield each.asname or each.name, None if node.level else f"{node.module}.{each.name}"
    elif isinstance(node, _NAMED) and node.name:
        yield node.name, None
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from ((name, None) for name in node.names)
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        if not getattr(node, "plain", False):
            yield node.id, None
    elif _alias(node) is not None and isinstance(node, ast.Assign):
        node.targets[0].plain = True  # type: ignore[attr-defined]  # its turn comes in `_alias`


def _alias(node: ast.AST) -> tuple[str, ast.expr] | None:
    """The name and the value of `name = a.b.c`; None for anything else."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.Attribute):
        target = node.targets[0]
        return (target.id, node.value) if isinstance(target, ast.Name) else None
    return None

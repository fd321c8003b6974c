"""Scopes of Python code: what local names refer to, according to imports and plain assignments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

#: Characters of a dotted name; longer ones are of no package. Aliases of aliases can make them grow.
LONGEST_NAME = 300

_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_NAMED = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
)


@dataclass
class CodeScope:
    """A module, function or class.

    Attributes:
        node: its syntax tree.
        parent: enclosing scope, None for the module.
        bound: dotted name that each local name refers to, None if it cannot be determined.
        nodes: its own nodes, see `own_nodes`.
    """

    node: ast.AST
    parent: CodeScope | None = None
    bound: dict[str, str | None] = field(default_factory=dict)
    nodes: tuple[ast.AST, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        self.nodes = tuple(own_nodes(self.node))
        for child in self.nodes:
            for name, meaning in _bindings(child):
                self._bind(name, meaning)
        if isinstance(self.node, _Function):
            given = self.node.args
            for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
                if argument is not None:
                    self._bind(argument.arg, None)
        # Aliases are resolved after imports, because they refer to imported names.
        for child in self.nodes:
            if (alias := _alias(child)) and alias[0] not in self.bound:
                self._bind(alias[0], self.meaning(alias[1]))
            elif alias:
                self._bind(alias[0], None)

    def meaning(self, node: ast.expr) -> str | None:
        """Return the dotted name that an expression such as `F.linear` refers to, None if unknown.

        Args:
            node: the expression.
        """
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        root = self._looked_up(node.id)
        name = ".".join([root, *reversed(parts)]) if root else ""
        return name if 0 < len(name) <= LONGEST_NAME else None

    def _looked_up(self, name: str) -> str | None:
        scope: CodeScope | None = self
        while scope is not None:
            if name in scope.bound and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope.bound[name]
            scope = scope.parent
        return None

    def _bind(self, name: str, meaning: str | None) -> None:
        """Bind a name; a name with two different meanings becomes undetermined."""
        self.bound[name] = meaning if self.bound.get(name, meaning) == meaning else None


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a scope in source order; nested functions and classes are a single node each.

    Args:
        node: node of a module, function or class.
    """
    waiting = [*reversed(_inside(node))]
    while waiting:
        yield (child := waiting.pop())
        waiting += reversed(_outside(child) if is_scope(child) else [*ast.iter_child_nodes(child)])


def is_scope(node: ast.AST) -> bool:
    """Return whether a node opens a new scope.

    Args:
        node: any node.
    """
    return isinstance(node, (*_Function, ast.ClassDef))


def _inside(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Lambda):
        return [node.body]
    body: list[ast.AST] = getattr(node, "body", [])
    return body


def _outside(node: ast.AST) -> list[ast.AST]:
    """Return the parts evaluated in the enclosing scope: decorators, bases, defaults."""
    inside = {id(child) for child in _inside(node)}
    return [child for child in ast.iter_child_nodes(node) if id(child) not in inside]


def _bindings(node: ast.AST) -> Iterator[tuple[str, str | None]]:
    """Yield the names that a node binds, except for plain assignments, which come later."""
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
        node.targets[0].plain = True  # type: ignore[attr-defined]  # bound later, see `_alias`


def _alias(node: ast.AST) -> tuple[str, ast.expr] | None:
    """Return name and value of `name = a.b.c`, None for anything else."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, ast.Attribute):
        target = node.targets[0]
        return (target.id, node.value) if isinstance(target, ast.Name) else None
    return None

"""What the code of one scope tells of itself: names of torch, variables as they were assigned last, loops."""

from __future__ import annotations

import ast
from bisect import bisect_left

from assistant.api_usage.scopes import CodeScope
from assistant.upgrade.inference import Inference
from ingest.locked_property import locked_cached_property

_LOOPS = (ast.For, ast.AsyncFor, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_MOST_NODES = 200  # of an expression that is searched for the variable of a loop
_MOST_LEVELS = 500

Position = tuple[int, int]


class Flow:
    """The code of a scope.

    Args:
        inference: meanings of the expressions of its file.
        scope: the scope.
    """

    def __init__(self, inference: Inference, scope: CodeScope) -> None:
        self._inference = inference
        self._scope = scope

    def name(self, node: ast.expr) -> str:
        """Return the full name that an expression stands for, "" if it is unknown or not certain.

        Args:
            node: the expression.
        """
        found = self._inference.meaning(node, self._scope)
        return found.name if found and not found.instance and found.sure else ""

    def bases(self, node: ast.ClassDef) -> set[str]:
        """Return the full names of the base classes of a class, those of torch that are known included.

        Args:
            node: the class, which stands in the scope.
        """
        found = (self._inference.meaning(base, self._scope) for base in node.bases)
        return {name for base in found if base for name in self._inference.ancestors(base.name)}

    def assigned(self, node: ast.Name) -> ast.expr | None:
        """Return what a variable was assigned last, None where that is not certain.

        Args:
            node: the variable where it is used.
        """
        statement, around = self._statement(node)
        found = self._bindings.get(node.id, ())
        at = bisect_left(found, _position(statement or node), key=_position)
        if statement is None or at == 0:
            return None
        value, target = self._plain.get(id(found[at - 1]), (None, None))
        if value is None or target is None:
            return None
        return value if self._parents.get(id(target)) in around else None

    def varies(self, node: ast.AST) -> bool:
        """Return whether an expression has the variable of a loop around it.

        Args:
            node: the expression.
        """
        wanted: set[str] = set()
        child, levels = node, 0
        while (parent := self._parents.get(id(child))) is not None and levels < _MOST_LEVELS:
            above, field = parent
            if isinstance(above, (ast.For, ast.AsyncFor)) and field != "iter":
                wanted |= _names(above.target)
            elif isinstance(above, _LOOPS) and field != "generators":
                for each in above.generators:  # type: ignore[union-attr]
                    wanted |= _names(each.target)
            child, levels = above, levels + 1
        return bool(wanted) and not wanted.isdisjoint(_names(node))

    @locked_cached_property
    def _parents(self) -> dict[int, tuple[ast.AST, str]]:
        """The node above each node of the scope, and the field of it."""
        found: dict[int, tuple[ast.AST, str]] = {}
        for node in self._scope.nodes:
            for field, value in ast.iter_fields(node):
                for each in value if isinstance(value, list) else [value]:
                    if isinstance(each, ast.AST):
                        found[id(each)] = (node, field)
        for each in getattr(self._scope.node, "body", ()) if not self._is_lambda else ():
            found[id(each)] = (self._scope.node, "body")
        return found

    @property
    def _is_lambda(self) -> bool:
        return isinstance(self._scope.node, ast.Lambda)

    @locked_cached_property
    def _bindings(self) -> dict[str, list[ast.Name]]:
        """Where each variable is bound, in the order of the code."""
        found: dict[str, list[ast.Name]] = {}
        for node in self._scope.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.id, []).append(node)
        for each in found.values():
            each.sort(key=_position)
        return found

    @locked_cached_property
    def _plain(self) -> dict[int, tuple[ast.expr, ast.stmt]]:
        """Value and statement of each binding that is a plain assignment."""
        found: dict[int, tuple[ast.expr, ast.stmt]] = {}
        for node in self._scope.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                found[id(node.targets[0])] = (node.value, node)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                found[id(node.target)] = (node.value, node)
        return found

    def _statement(self, node: ast.AST) -> tuple[ast.stmt | None, list[tuple[ast.AST, str]]]:
        """Return the statement of an expression, and what it stands in."""
        child, statement = node, None
        around: list[tuple[ast.AST, str]] = []
        while (parent := self._parents.get(id(child))) is not None and len(around) < _MOST_LEVELS:
            if isinstance(child, ast.stmt):
                statement = statement or child
                around.append(parent)
            child = parent[0]
        return statement, around


def _position(node: ast.AST) -> Position:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _names(node: ast.AST) -> set[str]:
    """Return the names in an expression, as far as it is short."""
    found: set[str] = set()
    waiting = [node]
    seen = 0
    while waiting and seen < _MOST_NODES:
        each = waiting.pop()
        seen += 1
        if isinstance(each, ast.Name):
            found.add(each.id)
        waiting += ast.iter_child_nodes(each)
    return found

"""What statements bind: variables with their values, and annotations."""

from __future__ import annotations

import ast
from collections.abc import Iterator


class Annotation(ast.expr):
    """An annotation, in place of the value of an argument; `Optional[X]` and `X | None` stand for X."""

    def __init__(self, annotation: ast.expr | None) -> None:
        super().__init__()
        if isinstance(annotation, ast.Subscript) and _last(annotation.value) == "Optional":
            annotation = annotation.slice
        elif isinstance(annotation, ast.BinOp) and isinstance(annotation.right, ast.Constant):
            annotation = annotation.left
        self.value = annotation if isinstance(annotation, (ast.Name, ast.Attribute)) else None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def stores(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the variables that a statement binds, with the value if it is a single one.

    Args:
        node: any node.
    """
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
            else:
                yield from ((name, None) for name in _stored(target))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, node.value or Annotation(node.annotation)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if isinstance(item.optional_vars, ast.Name):
                yield item.optional_vars.id, item.context_expr
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield from ((name, None) for name in _stored(node.target))
    elif isinstance(node, ast.NamedExpr):
        yield node.target.id, node.value


def _stored(target: ast.expr) -> Iterator[str]:
    for each in ast.walk(target):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id

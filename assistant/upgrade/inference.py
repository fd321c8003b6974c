"""What expressions refer to: names of torch, and values whose class the syntax shows.

Scopes resolve imports and aliases (`assistant.api_usage.scopes`). Here variables get classes: those of
assignments, annotations, `with ... as`, `self` and its attributes. Nothing is imported or run.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from assistant.api_usage.scopes import LONGEST_NAME, CodeScope, is_scope
from assistant.upgrade.bindings import Annotation, stores
from assistant.upgrade.torch_types import BASES, JOINING, TENSOR, TENSOR_MEMBERS, canonical, result_of

_LOCAL = "<here>"  # module of the classes that the file defines
_MOST_BASES = 50  # of a class; more are hostile
_MOST_ELEMENTS = 50  # of a list that is joined
_MOST_STEPS = 1_000_000  # of inference in a file; it takes seconds


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an expression refers to.

    Attributes:
        name: full name of the object, or of the class of a value.
        instance: whether it is a value of that class.
        owner: class whose member it is, "" if it is reached through modules.
        sure: whether the syntax proves it; False if a variable has other values as well.
    """

    name: str
    instance: bool = False
    owner: str = ""
    sure: bool = True


@dataclass
class _Class:
    bases: list[ast.expr]
    scope: CodeScope
    methods: frozenset[str]
    attributes: dict[str, list[tuple[ast.expr | None, CodeScope]]] = field(default_factory=dict)


class Inference:
    """Meanings of the expressions of a file.

    Args:
        tree: the file.
    """

    def __init__(self, tree: ast.Module) -> None:
        #: Every scope, outer scopes first.
        self.scopes: list[CodeScope] = []
        self._values: dict[int, dict[str, list[ast.expr | Meaning | None]]] = {}
        self._classes: dict[str, _Class | None] = {}
        self._self: dict[int, tuple[str, str]] = {}  # scope of a method -> (name of self, class)
        self._busy: set[tuple[int, str]] = set()
        self._known: dict[tuple[int, str], Meaning | None] = {}
        self._nodes: dict[int, Meaning | None] = {}
        self._steps = 0
        self._read(CodeScope(tree))

    def meaning(self, node: ast.expr, scope: CodeScope) -> Meaning | None:
        """Return what an expression refers to, None if unknown.

        Args:
            node: the expression.
            scope: scope in which it stands.

        Raises:
            RecursionError: the code is nested too deeply, or made to take long.
        """
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise RecursionError("too many steps")
        if isinstance(node, ast.Name):
            return self._of_name(node.id, scope)
        if isinstance(node, (ast.Attribute, ast.Call)):
            if id(node) not in self._nodes:
                told = (
                    self._of_attribute(node, scope)
                    if isinstance(node, ast.Attribute)
                    else self._of_call(node, scope)
                )
                if self._busy:  # a variable that depends on itself is unknown for the moment only
                    return told
                self._nodes[id(node)] = told
            return self._nodes[id(node)]
        if isinstance(node, ast.BinOp):  # arithmetic with a tensor gives a tensor
            left = self.meaning(node.left, scope)
            return left if left and left.instance and left.name == TENSOR else None
        if isinstance(node, ast.Subscript):
            value = self.meaning(node.value, scope)
            return value if value and value.instance and value.name == TENSOR else None
        return None

    def ancestors(self, name: str) -> list[str]:
        """Return a class and its known base classes, nearest first.

        Args:
            name: full name of the class.
        """
        found = [name]
        for each in found:  # grows
            if len(found) > _MOST_BASES:
                break
            bases = list(BASES.get(each, ()))
            if each.startswith(f"{_LOCAL}.") and (own := self._classes.get(each)):
                meanings = [self.meaning(base, own.scope) for base in own.bases]
                bases = [base.name for base in meanings if base and not base.instance]
            found += [base for base in bases if base not in found]
        return found

    def owners(self, name: str, member: str) -> list[str]:
        """Return the classes that a member of a class may be of: those up to one of the file that has it.

        Args:
            name: full name of the class.
            member: name of the member.
        """
        found = self.ancestors(name)
        own = [self._classes.get(each) for each in found]
        first = next((at for at, each in enumerate(own) if each and member in each.methods), len(found))
        return found[: first + 1]

    def constructed(self, name: str) -> str:
        """Return the class whose constructor a call of a class runs, "" if the file defines the constructor.

        Args:
            name: full name of the class, or of a function, which is returned.
        """
        for _ in range(_MOST_BASES):
            if not name.startswith(f"{_LOCAL}."):
                return name
            own = self._classes.get(name)
            if own is None or "__init__" in own.methods or not own.bases:
                return ""
            base = self.meaning(own.bases[0], own.scope)
            name = base.name if base and not base.instance else ""
        return ""

    def _read(self, scope: CodeScope) -> None:
        waiting = [scope]
        while waiting:
            current = waiting.pop()
            self.scopes.append(current)
            values = self._values.setdefault(id(current.node), {})
            self._arguments(current, values)
            for node in current.nodes:
                for name, value in stores(node):
                    values.setdefault(name, []).append(value)
                self._attribute_stores(node, current)
                if is_scope(node):
                    inner = CodeScope(node, current)
                    if isinstance(node, ast.ClassDef):
                        name = f"{_LOCAL}.{node.name}"
                        twice = name in self._classes
                        methods = frozenset(getattr(each, "name", "") for each in node.body)
                        self._classes[name] = None if twice else _Class(node.bases, current, methods)
                    waiting.append(inner)

    def _arguments(self, scope: CodeScope, values: dict[str, list[ast.expr | Meaning | None]]) -> None:
        node = scope.node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        for argument in given:
            values[argument.arg] = [Annotation(argument.annotation)] if argument.annotation else [None]
        parent = scope.parent
        if parent and isinstance(parent.node, ast.ClassDef) and given and not isinstance(node, ast.Lambda):
            decorators = {each.id for each in node.decorator_list if isinstance(each, ast.Name)}
            if not decorators & {"staticmethod", "classmethod"}:
                class_name = f"{_LOCAL}.{parent.node.name}"
                self._self[id(node)] = (given[0].arg, class_name)
                values[given[0].arg] = [Meaning(class_name, instance=True)]

    def _attribute_stores(self, node: ast.AST, scope: CodeScope) -> None:
        """Record `self.name = value` of methods."""
        name, class_name = self._self.get(id(scope.node), ("", ""))
        if not name or not isinstance(node, (ast.Assign, ast.AnnAssign)):
            return
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                own = self._classes.get(class_name)
                if target.value.id == name and own:
                    own.attributes.setdefault(target.attr, []).append((node.value, scope))

    def _of_name(self, name: str, scope: CodeScope) -> Meaning | None:
        at: CodeScope | None = scope
        while at is not None:
            if at is scope or not isinstance(at.node, ast.ClassDef):
                if (bound := at.bound.get(name)) and len(bound) <= LONGEST_NAME:
                    return Meaning(canonical(bound))
                if name in self._values.get(id(at.node), {}):
                    return self._variable(name, at)
                if name in at.bound:
                    local = f"{_LOCAL}.{name}"
                    return Meaning(local) if self._classes.get(local) else None
            at = at.parent
        # `from package.common import *` brings what no import of the file names.
        return Meaning("torch", sure=False) if name == "torch" else None

    def _variable(self, name: str, scope: CodeScope) -> Meaning | None:
        key = (id(scope.node), name)
        if key in self._known:
            return self._known[key]
        if key in self._busy:
            return None
        self._busy.add(key)
        values = self._values[id(scope.node)][name]
        self._known[key] = found = self._agreed([(value, scope) for value in values])
        self._busy.discard(key)
        return found

    def _agreed(self, values: list[tuple[ast.expr | Meaning | None, CodeScope]]) -> Meaning | None:
        """Return the one meaning that the known values have; it is sure if all are known."""
        found = [self._value(value, scope) for value, scope in values]
        known = {(each.name, each.instance, each.owner) for each in found if each}
        if len(known) != 1:
            return None
        first = next(each for each in found if each)
        return replace(first, sure=all(each is not None and each.sure for each in found))

    def _value(self, value: ast.expr | Meaning | None, scope: CodeScope) -> Meaning | None:
        if value is None or isinstance(value, Meaning):
            return value
        if isinstance(value, Annotation):
            told = self.meaning(value.value, scope.parent or scope) if value.value else None
            return replace(told, instance=True) if told and not told.instance else None
        return self.meaning(value, scope)

    def _of_attribute(self, node: ast.Attribute, scope: CodeScope) -> Meaning | None:
        value = self.meaning(node.value, scope)
        if value is None or len(value.name) + len(node.attr) >= LONGEST_NAME:
            return None
        if not value.instance:
            return replace(value, name=canonical(f"{value.name}.{node.attr}"))
        own = self._classes.get(value.name)
        if own and node.attr in own.attributes:
            key = (id(own), node.attr)
            if key not in self._known:
                if key in self._busy:
                    return None
                self._busy.add(key)
                self._known[key] = self._agreed(list(own.attributes[node.attr]))
                self._busy.discard(key)
            return self._known[key]
        if value.name == TENSOR and node.attr in ("T", "H", "mT", "mH", "data", "grad", "real", "imag"):
            return value
        return Meaning(f"{value.name}.{node.attr}", owner=value.name, sure=value.sure)

    def _of_call(self, node: ast.Call, scope: CodeScope) -> Meaning | None:
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return self._super(scope)
        called = self.meaning(node.func, scope)
        if called is None or called.instance:
            return None
        if called.owner:
            is_tensor = called.owner == TENSOR and called.name.rpartition(".")[2] in TENSOR_MEMBERS
            return Meaning(TENSOR, instance=True, sure=called.sure) if is_tensor else None
        if called.name in JOINING and not self._joins_tensors(node, scope):
            return None
        made = called.name if called.name.startswith(_LOCAL) else result_of(called.name)
        return Meaning(made, instance=True, sure=called.sure) if made else None

    def _joins_tensors(self, call: ast.Call, scope: CodeScope) -> bool:
        """Return whether a call is given what is known to be a tensor, or a list that has one."""
        elements = [
            each
            for given in call.args
            for each in (given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given])
        ]
        meanings = (self.meaning(each, scope) for each in elements[:_MOST_ELEMENTS])
        return any(each is not None and each.instance and each.name == TENSOR for each in meanings)

    def _super(self, scope: CodeScope) -> Meaning | None:
        _, class_name = self._self.get(id(scope.node), ("", ""))
        own = self._classes.get(class_name)
        bases = [self.meaning(base, own.scope) for base in own.bases] if own else []
        first = next((base for base in bases if base and not base.instance), None)
        return replace(first, instance=True) if first else None

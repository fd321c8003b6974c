"""Uses of torch in Python code: names, calls with their arguments, overridden methods, string constants."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from assistant.api_usage.names import ROOTS
from assistant.api_usage.scopes import LONGEST_NAME, CodeScope
from assistant.upgrade.guards import asked_spans, attempted_spans, catching_spans, versioned_spans, within
from assistant.upgrade.inference import Inference, Meaning
from assistant.upgrade.torch_types import POSITIONAL, canonical
from assistant.upgrade.useful import ByHand, done_by_hand

_BLOCKS = (ast.Try, ast.If, ast.IfExp, ast.BoolOp, ast.FunctionDef, ast.AsyncFunctionDef)
MOST_USES = 40_000  # of torch in a file; the largest tests of torch itself have less than half of them
_CONSTANT = 80  # characters of a string that can be the name of an environment variable
PACKAGES = (*ROOTS, "caffe2")  # which came with torch until it was removed


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a name.

    Attributes:
        names: full names that it stands for: its own, then those of base classes.
        node: the expression, import or definition.
        call: its call, None if it is not called.
        arguments: name and expression of each argument of the call; "" is `**arguments`.
        sure: whether the syntax proves what it refers to.
        versioned: whether it stands behind a check of the version or the like.
        attempted: whether it is tried, prepared for a name or an argument that is missing.
        catching: whether a RuntimeError of it is caught.
        member: attribute of a value of unknown class: `names` is then its name alone.
        imported: whether it is an import.
        defined: whether it defines a method.
        owned: whether it is a member of a value, which torch may only have at run time.
        postponed: whether it is an annotation that is not evaluated.
    """

    names: tuple[str, ...]
    node: ast.AST
    call: ast.Call | None = None
    arguments: tuple[tuple[str, ast.expr], ...] = ()
    sure: bool = True
    versioned: bool = False
    attempted: bool = False
    catching: bool = False
    member: bool = False
    imported: bool = False
    defined: bool = False
    owned: bool = False
    postponed: bool = False

    @property
    def guarded(self) -> bool:
        """Whether the code is prepared for the API to be missing."""
        return self.versioned or self.attempted


@dataclass(frozen=True, slots=True)
class Code:
    """What Python code holds.

    Attributes:
        uses: uses of torch, scope by scope.
        strings: string constants in upper case, and options that have no second spelling, with their nodes.
        by_hand: what it does by hand and a release brought.
    """

    uses: tuple[Use, ...]
    strings: tuple[tuple[str, ast.Constant], ...]
    by_hand: tuple[ByHand, ...] = ()


def read_code(source: str) -> Code:
    """Return the uses of torch in Python code.

    Args:
        source: the code.

    Raises:
        SyntaxError, ValueError: it is not valid Python, or uses torch too often.
        RecursionError, MemoryError: it is nested too deeply.
    """
    tree = parsed(source)
    inference = Inference(tree)
    postponed = _postponed(tree, inference.scopes)
    blocks = [node for scope in inference.scopes for node in scope.nodes if isinstance(node, _BLOCKS)]
    versioned, attempted, catching = versioned_spans(blocks), attempted_spans(blocks), catching_spans(blocks)
    asked = asked_spans(blocks)
    uses: list[Use] = []
    for use in (use for scope in inference.scopes for use in _uses(inference, scope)):
        if len(uses) == MOST_USES:
            raise ValueError(f"more than {MOST_USES:,} uses of torch")
        line = getattr(use.node, "lineno", 0)
        asks = any(within(line, asked[part]) for part in use.names[0].split(".") if part in asked)
        told = asks or within(line, versioned), within(line, attempted), within(line, catching)
        if any(told):
            use = replace(use, versioned=told[0], attempted=told[1], catching=told[2])
        uses.append(replace(use, postponed=True) if id(use.node) in postponed else use)
    strings = [pair for scope in inference.scopes for node in scope.nodes for pair in _strings(node)]
    names = {name for use in uses if not use.member for name in use.names}
    by_hand = (
        replace(each, versioned=within(getattr(each.node, "lineno", 0), versioned))
        for each in done_by_hand(inference, source, names)
    )
    return Code(tuple(uses), tuple(strings), tuple(by_hand))


def parsed(source: str) -> ast.Module:
    """Parse Python code without warnings about it.

    Args:
        source: the code.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: see `read_code`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escape sequences in the user's strings
        return ast.parse(source)


def _postponed(tree: ast.Module, scopes: Iterable[CodeScope]) -> set[int]:
    """Return the nodes of annotations that are not evaluated: of local variables, or all if so wished."""
    first = (node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__")
    none = any(name.name == "annotations" for node in first for name in node.names)
    found: list[ast.AST | None] = []
    for scope in scopes:
        local = isinstance(scope.node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in scope.nodes:
            if isinstance(node, ast.AnnAssign) and (none or (local and isinstance(node.target, ast.Name))):
                found.append(node.annotation)
            elif none and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                given = node.args
                every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
                found += [node.returns, *(each.annotation for each in every if each)]
    return {id(node) for each in found if each is not None for node in ast.walk(each)}


def _strings(node: ast.AST) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the name of a variable that a constant may be, and the options that a call declares."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if len(node.value) < _CONSTANT and node.value.isupper() and "_" in node.value:
            yield node.value, node
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
        given = {each.value: each for each in node.args if isinstance(each, ast.Constant)}
        for value, each in given.items():
            if isinstance(value, str) and value.startswith("--") and value.replace("_", "-") not in given:
                yield value, each


def _uses(inference: Inference, scope: CodeScope) -> Iterator[Use]:
    inner: set[int] = set()  # nodes that are part of a longer name
    calls: dict[int, ast.Call] = {}
    for node in scope.nodes:
        if isinstance(node, ast.Call):
            calls[id(node.func)] = node
        elif isinstance(node, ast.Import):
            for each in node.names:
                if _of_torch(each.name):
                    yield Use((canonical(each.name),), each, imported=True)
        elif isinstance(node, ast.ImportFrom):
            for each in node.names if node.module and not node.level else ():
                whole = f"{node.module}.{each.name}".removesuffix(".*")
                if _of_torch(whole):
                    yield Use((canonical(whole),), each, imported=True)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if isinstance(scope.node, ast.ClassDef):
                yield from _overridden(inference, scope.node, scope, node)
        elif isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        ):
            if isinstance(node, ast.Attribute):
                inner.add(id(node.value))
            if id(node) in inner:
                continue
            found = inference.meaning(node, scope)
            call = calls.get(id(node))
            if found is None:
                if isinstance(node, ast.Attribute):
                    yield Use((node.attr,), node, call, _arguments((), call), False, member=True)
            elif not found.instance and (names := _names(inference, found, call is not None)):
                yield Use(names, node, call, _arguments(names, call), found.sure, owned=bool(found.owner))


def _names(inference: Inference, found: Meaning, called: bool) -> tuple[str, ...]:
    """Return the names of torch that a meaning stands for; the own name first, "" where it is the file's."""
    name = found.name
    if found.owner:
        member = name[len(found.owner) :]
        owners = inference.owners(found.owner, member[1:].partition(".")[0])
        names = [f"{each}{member}" for each in owners]
        if member == ".__init__":  # of `super()`
            names = [inference.constructed(found.owner)]
    else:
        names = [inference.constructed(name) if called else name]
    return tuple(each if _of_torch(each) else "" for each in names) if any(map(_of_torch, names)) else ()


def _overridden(
    inference: Inference,
    owner: ast.ClassDef,
    scope: CodeScope,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[Use]:
    """Yield the method of a base class of torch that a definition overrides."""
    bases = [inference.meaning(base, scope.parent or scope) for base in owner.bases]
    names = [f"{name}.{node.name}" for base in bases if base for name in inference.ancestors(base.name)]
    if of_torch := tuple(name for name in names if _of_torch(name)):
        yield Use(of_torch, node, defined=True)


def _arguments(names: tuple[str, ...], call: ast.Call | None) -> tuple[tuple[str, ast.expr], ...]:
    if call is None:
        return ()
    given = [(each.arg or "", each.value) for each in call.keywords]
    positions = next((POSITIONAL[name] for name in names if name in POSITIONAL), ())
    for position, value in enumerate(call.args):
        if isinstance(value, ast.Starred):
            given.append(("", value))
            break
        given.append((positions[position] if position < len(positions) else str(position), value))
    return tuple(given)


def _of_torch(name: str) -> bool:
    root, dot, _ = name.partition(".")
    return len(name) <= LONGEST_NAME and root in PACKAGES and (bool(dot) or root == "functorch")

"""Mechanical fixes: what each changes in a call or a name, as edits of the text.

A fix is made only where the syntax proves what it changes, and after it the finding is gone, so that fixing
twice changes nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assistant.upgrade.edits import Edit, Positions
from assistant.upgrade.uses import Use

_COMMENT = re.compile(r"#[^\n]*")

Fixer = Callable[["Target"], list[Edit]]


@dataclass(frozen=True, slots=True)
class Target:
    """A use to fix.

    Attributes:
        use: the use.
        symbol: what was found there.
        positions: the text.
    """

    use: Use
    symbol: str
    positions: Positions

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return start and end of a node in the text.

        Args:
            node: a node with a position.
        """
        assert isinstance(node, (ast.expr, ast.alias, ast.keyword))
        start = self.positions.offset(node.lineno, node.col_offset)
        return start, self.positions.offset(
            node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        )


def explicit(argument: str, value: str) -> Fixer:
    """Return a fixer that passes an argument whose default changes.

    Args:
        argument: name of the argument.
        value: its value.
    """

    def fix(target: Target) -> list[Edit]:
        call = target.use.call
        if call is None or any(keyword.arg in (None, argument) for keyword in call.keywords):
            return []
        return _added(target, call, f"{argument}={value}")

    return fix


def without(argument: str) -> Fixer:
    """Return a fixer that deletes a keyword argument.

    Args:
        argument: name of the argument.
    """

    def fix(target: Target) -> list[Edit]:
        call = target.use.call
        keyword = next((each for each in call.keywords if each.arg == argument), None) if call else None
        if call is None or keyword is None or not _is_plain(keyword.value):
            return []  # what it evaluates may be wanted
        start, end = target.span(keyword)
        text = target.positions.text
        others = [*call.args, *(each for each in call.keywords if each is not keyword)]
        ends = (target.span(each)[1] for each in others)
        before = [each for each in ends if each <= start]
        if before:  # with the comma before it; what is in between may close a bracket
            last = max(before)
            comma = text.rfind(",", last, start)
            return [] if "#" in text[last:start] or comma < 0 else [Edit(comma, end, "")]
        starts = (target.span(each)[0] for each in others)
        after = [each for each in starts if each >= end]
        if after:
            return [] if "#" in text[end : min(after)] else [Edit(start, min(after), "")]
        tail = text[end : target.span(call)[1]]
        comma = tail.find(",")
        return [Edit(start, end + comma + 1 if comma >= 0 and not tail[:comma].strip() else end, "")]

    return fix


def renamed(name: str, *, only_plain_call: bool = False) -> Fixer:
    """Return a fixer that writes another name of the same module, or another path from `torch`.

    Args:
        name: full name.
        only_plain_call: fix calls with one positional argument only.
    """

    def fix(target: Target) -> list[Edit]:
        use, call = target.use, target.use.call
        if only_plain_call and (call is None or len(call.args) != 1 or call.keywords):
            return []
        module, _, last = name.rpartition(".")
        same_module = use.names[0].rpartition(".")[0] == module
        if isinstance(use.node, ast.alias):
            if not same_module or "." in use.node.name:
                return []
            start, end = target.span(use.node)
            return [Edit(start, end, f"{last} as {use.node.asname or use.node.name}")]
        if not isinstance(use.node, ast.Attribute):
            return []
        start, end = target.span(use.node)
        if same_module:
            return [Edit(end - len(use.node.attr), end, last)]
        written = _moved(use.node, use.names[0], name)
        return [Edit(start, end, written)] if written else []

    return fix


def device_argument(name: str, device: str, *, first: str = "") -> Fixer:
    """Return a fixer for a class that has moved to a module where the device is its first argument.

    Args:
        name: full name of the class there.
        device: the device.
        first: name of the argument that was the first, if it is at another position there.
    """

    def fix(target: Target) -> list[Edit]:
        use, call = target.use, target.use.call
        if call is None or not isinstance(use.node, (ast.Attribute, ast.Name)):
            return []
        if first and (len(call.args) > 1 or any(isinstance(each, ast.Starred) for each in call.args)):
            return []
        start, end = target.span(use.node)
        written = use.node.id if isinstance(use.node, ast.Name) else _moved(use.node, use.names[0], name)
        if not written:
            return []
        opening = target.positions.text.index("(", end)
        rest = ", " if call.args or call.keywords else ""
        keyword = f"{first}=" if first and call.args else ""
        return [Edit(start, opening + 1, f'{written}("{device}"{rest}{keyword}')]

    return fix


def _moved(node: ast.expr, full: str, name: str) -> str:
    """Return how a name is written from the root of another, "" if that does not begin with torch."""
    root = _root(node, full)
    return root + name[len("torch") :] if root else ""


def _root(node: ast.expr, full: str) -> str:
    """Return what `torch` is called where a name is written out from it, such as "th" of `th.cuda`."""
    parts = full.split(".")[1:]
    while isinstance(node, ast.Attribute) and parts and node.attr == parts.pop():
        node = node.value
    return node.id if isinstance(node, ast.Name) and not parts else ""


def _added(target: Target, call: ast.Call, argument: str) -> list[Edit]:
    """Return the edit that appends an argument to a call, in the layout of the call."""
    text = target.positions.text
    given = [*call.args, *call.keywords]
    close = target.span(call)[1] - 1
    if not given:
        return [Edit(close, close, argument)]
    start, end = max((target.span(each) for each in given), key=lambda span: span[1])
    tail = text[end:close]
    if "#" in tail:
        if _COMMENT.sub("", tail).strip(", \t\n"):
            return []  # a bracket that closes after a comment
        tail = tail[: tail.index("#")]
    at = end + len(tail.rstrip())
    indent = text[text.rfind("\n", 0, start) + 1 : start]
    own_line = not indent.strip() and text.rfind("\n", 0, start) > target.span(call)[0]
    space = f"\n{indent}" if own_line and "#" not in text[end:close] else " "
    has_comma = tail.rstrip().endswith(",")
    return [Edit(at, at, f"{space}{argument}," if has_comma else f",{space}{argument}")]


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, (ast.Constant, ast.Name, ast.Attribute))


#: Classes that have moved: new name, device, and name of the argument that was the first.
MOVED: Mapping[str, tuple[str, str, str]] = {
    "torch.cuda.amp.autocast": ("torch.amp.autocast", "cuda", "enabled"),
    "torch.cuda.amp.GradScaler": ("torch.amp.GradScaler", "cuda", ""),
    "torch.cpu.amp.autocast": ("torch.amp.autocast", "cpu", "enabled"),
    "torch.cpu.amp.GradScaler": ("torch.amp.GradScaler", "cpu", ""),
}

_VERBOSE = without("verbose")
#: By the symbol of the finding. `weights_only=True` is the new default and the safe one: it makes the choice
#: visible, and does not bring the old behaviour back.
FIXERS: Mapping[str, Fixer] = {
    "torch.load(weights_only=)": explicit("weights_only", "True"),
    "torch.export.export(strict=)": explicit("strict", "True"),
    "torch.distributed.all_gather_into_tensor": renamed("torch.distributed.all_gather_single"),
    "torch.distributed.reduce_scatter_tensor": renamed("torch.distributed.reduce_scatter_single"),
    "torch.export.export_for_training": renamed("torch.export.export"),
    "torch.export.export_for_training(strict=)": explicit("strict", "True"),
    "torch.cholesky": renamed("torch.linalg.cholesky", only_plain_call=True),
    "torch.qr": renamed("torch.linalg.qr", only_plain_call=True),
    "torch._inductor.config.aot_inductor.embed_cubin": renamed(
        "torch._inductor.config.aot_inductor.embed_kernel_binary"
    ),
    "torch.utils.data.DataLoader(pin_memory_device=)": without("pin_memory_device"),
    **{name: device_argument(*moved[:2], first=moved[2]) for name, moved in MOVED.items()},
}


def fixer_of(symbol: str) -> Fixer | None:
    """Return the fixer for a finding, None if there is none.

    Args:
        symbol: symbol of the finding.
    """
    if symbol.startswith("torch.optim.lr_scheduler.") and symbol.endswith("(verbose=)"):
        return _VERBOSE
    return FIXERS.get(symbol)

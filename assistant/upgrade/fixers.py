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
_BLANK = re.compile(r"\s*")

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


def renamed(name: str, *, plain: int = 0) -> Fixer:
    """Return a fixer that writes another name of the same module, or another path from `torch`.

    Args:
        name: full name.
        plain: fix only calls with that many arguments, all by position; 0: fix all uses.
    """

    def fix(target: Target) -> list[Edit]:
        use, call = target.use, target.use.call
        if plain and (call is None or len(call.args) != plain or call.keywords):
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
    """Return a fixer for a class or function that has another name, with the device as its first argument.

    Args:
        name: full name of it there.
        device: the device.
        first: name of the argument that was the first, if it is at another position there.
    """

    def fix(target: Target) -> list[Edit]:
        use, call = target.use, target.use.call
        if call is None or not isinstance(use.node, (ast.Attribute, ast.Name)):
            return []
        if isinstance(use.node, ast.Name) and target.symbol not in MOVED:
            return []  # its import would have to be another
        if first and (len(call.args) > 1 or any(isinstance(each, ast.Starred) for each in call.args)):
            return []
        start, end = target.span(use.node)
        written = use.node.id if isinstance(use.node, ast.Name) else _moved(use.node, use.names[0], name)
        if not written:
            return []
        text = target.positions.text
        opening = text.index("(", end) + 1
        gap = next(_BLANK.finditer(text, opening))[0]
        gap = gap if "\n" in gap and (call.args or call.keywords) else ""
        rest = f",{gap or ' '}" if call.args or call.keywords else ""
        keyword = f"{first}=" if first and call.args else ""
        return [Edit(start, opening + len(gap), f'{written}({gap}"{device}"{rest}{keyword}')]

    return fix


def device_keyword(name: str, device: str) -> Fixer:
    """Return a fixer for a decorator that has moved to a module where it takes the device as a keyword.

    Without a function it returns itself with that argument, so any use of it can be replaced.

    Args:
        name: full name of the decorator there.
        device: the device.
    """

    def fix(target: Target) -> list[Edit]:
        node, call = target.use.node, target.use.call
        if not isinstance(node, (ast.Attribute, ast.Name)) or not isinstance(node.ctx, ast.Load):
            return []
        start, end = target.span(node)
        written = node.id if isinstance(node, ast.Name) else _moved(node, target.use.names[0], name)
        argument = f'device_type="{device}"'
        if not written:
            return []
        if call is None:
            return [Edit(start, end, f"{written}({argument})")]
        if any(keyword.arg in (None, "device_type") for keyword in call.keywords):
            return []
        added = _added(target, call, argument)
        return [Edit(start, end, written), *added] if added else []

    return fix


def asked(name: str) -> Fixer:
    """Return a fixer for an attribute of torch that a function without arguments has replaced.

    Args:
        name: full name of the function.
    """

    def fix(target: Target) -> list[Edit]:
        node = target.use.node
        if target.use.call or not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return []
        written = _moved(node, target.use.names[0], name)
        return [Edit(*target.span(node), f"{written}()")] if written else []

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


#: What has moved to `MOVED_TO` under its own name, with another signature: all of an import is fixed at once.
MOVED: Mapping[str, Fixer] = {
    "torch.cuda.amp.autocast": device_argument("torch.amp.autocast", "cuda", first="enabled"),
    "torch.cuda.amp.GradScaler": device_argument("torch.amp.GradScaler", "cuda"),
    "torch.cpu.amp.autocast": device_argument("torch.amp.autocast", "cpu", first="enabled"),
    "torch.cpu.amp.GradScaler": device_argument("torch.amp.GradScaler", "cpu"),
    "torch.cuda.amp.custom_fwd": device_keyword("torch.amp.custom_fwd", "cuda"),
    "torch.cuda.amp.custom_bwd": device_keyword("torch.amp.custom_bwd", "cuda"),
}
MOVED_TO = "torch.amp"

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
    "torch.cholesky": renamed("torch.linalg.cholesky", plain=1),
    "torch.qr": renamed("torch.linalg.qr", plain=1),
    "torch._inductor.config.aot_inductor.embed_cubin": renamed(
        "torch._inductor.config.aot_inductor.embed_kernel_binary"
    ),
    "torch.utils.data.DataLoader(pin_memory_device=)": without("pin_memory_device"),
    "torch.get_autocast_gpu_dtype": device_argument("torch.get_autocast_dtype", "cuda"),
    "torch.set_autocast_gpu_dtype": device_argument("torch.set_autocast_dtype", "cuda"),
    "torch.get_autocast_cpu_dtype": device_argument("torch.get_autocast_dtype", "cpu"),
    "torch.set_autocast_cpu_dtype": device_argument("torch.set_autocast_dtype", "cpu"),
    "torch.is_autocast_cpu_enabled": device_argument("torch.is_autocast_enabled", "cpu"),
    "torch.set_autocast_cpu_enabled": device_argument("torch.set_autocast_enabled", "cpu"),
    "torch.has_cuda": asked("torch.backends.cuda.is_built"),
    "torch.has_cudnn": asked("torch.backends.cudnn.is_available"),
    "torch.has_mps": asked("torch.backends.mps.is_built"),
    "torch.has_mkldnn": asked("torch.backends.mkldnn.is_available"),
    "torch.library.impl_abstract": renamed("torch.library.register_fake", plain=1),
    "torch.utils._pytree._register_pytree_node": renamed("torch.utils._pytree.register_pytree_node", plain=3),
    "torch._utils.is_compiling": renamed("torch.compiler.is_compiling"),
    "torch._dynamo.external_utils.is_compiling": renamed("torch.compiler.is_compiling"),
    "torch.profiler.ExecutionGraphObserver": renamed("torch.profiler.ExecutionTraceObserver"),
    **MOVED,
}


def fixer_of(symbol: str) -> Fixer | None:
    """Return the fixer for a finding, None if there is none.

    Args:
        symbol: symbol of the finding.
    """
    if symbol.startswith("torch.optim.lr_scheduler.") and symbol.endswith("(verbose=)"):
        return _VERBOSE
    return FIXERS.get(symbol)

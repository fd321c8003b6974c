"""What the installed torch itself tells of the names in use, in addition to the notes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from assistant.api_usage.lookup import Deprecation, Lookup, look_up
from assistant.api_usage.names import ApiName
from assistant.upgrade.finding import Kind
from assistant.upgrade.uses import Use

_MOST = 2_000  # names that are looked up
_LONGEST = 200  # characters of a name; longer ones are none of torch, and cannot be those of files
_PRIVATE = "torch._C."
#: Backends outside of torch that add themselves to it.
_BACKENDS = frozenset("dml gcu hpu ipex mlu musa npu privateuseone sdaa spyre tpu".split())


@dataclass(frozen=True, slots=True)
class TorchMark:
    """What torch tells of a name.

    Attributes:
        kind: "breaks" if the name is missing or raises, "deprecated" if it is marked so.
        words: torch's own message, or that there is no such name.
        suggestions: names that resemble a missing one.
        missing: whether the name does not exist.
    """

    kind: Kind
    words: str
    suggestions: tuple[str, ...] = ()
    missing: bool = False


def names_to_ask(uses: Iterable[Use]) -> tuple[str, ...]:
    """Return the names of torch to look up, without what the code itself adds to torch.

    Args:
        uses: uses of all files.
    """
    known = list(uses)
    added = {use.names[0] for use in known if isinstance(getattr(use.node, "ctx", None), ast.Store)}
    names = {
        use.names[0]
        for use in known
        if not (use.member or use.defined or use.owned)
        and use.sure
        and use.names[0].startswith(("torch.", "functorch."))
    }
    return tuple(
        sorted(
            name
            for name in names - added
            if not name.startswith(_PRIVATE) and name.count(".") < 8 and len(name) <= _LONGEST
        )
    )[:_MOST]


def ask_torch(names: Iterable[str]) -> Lookup:
    """Look up names in the installed torch, in a process of its own.

    Args:
        names: full names.

    Raises:
        TorchnotesError: torch cannot be imported here.
    """
    return look_up([ApiName(name, name, ()) for name in names])


def marks_in(lookup: Lookup) -> dict[str, TorchMark]:
    """Return what a lookup tells of names that are missing or deprecated.

    Args:
        lookup: the lookup.
    """
    return dict(_marks(lookup))


def _marks(lookup: Lookup) -> Iterator[tuple[str, TorchMark]]:
    for each in lookup.names:
        name = each.name.name
        if each.exists is False:
            rest = name[len(each.reached) + 1 :]
            of_backend = each.reached == "torch" and rest.partition(".")[0] in _BACKENDS
            of_backend |= name.startswith("torch.xpu.")  # its extension adds to what torch has
            if _is_module(each.reached) and not of_backend and not _on_disk(each.reached, rest):
                yield name, TorchMark("breaks", f"{name} does not exist.", each.near, missing=True)
            continue
        told = next((d for d in each.deprecated if d.source != "module" and not _is_to_come(d)), None)
        if told:
            yield name, TorchMark("breaks" if told.source == "raises" else "deprecated", told.words)


def _is_to_come(told: Deprecation) -> bool:
    """Return whether a docstring only announces that something will be deprecated."""
    return told.source == "doc" and "will be deprecated" in told.words


@lru_cache(maxsize=1_000)
def _is_module(name: str) -> bool:
    """Return whether a name is that of a module of torch: attributes of others may come at run time."""
    spec = find_spec("torch")  # of a package without parents: nothing is imported
    if spec is None or spec.origin is None or not name:
        return False
    root = Path(spec.origin).parent.parent
    path = root.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def _on_disk(module: str, rest: str) -> bool:
    """Return whether torch has a name after all, in a file that the lookup could not see.

    A part that cannot be imported here lacks another package; a module whose package has a function
    of the same name, such as `torch.nn.utils.weight_norm`, is hidden by it; what a build leaves out, such as
    `torch.distributed.ProcessGroupNCCL`, is imported from the extension all the same.

    Args:
        module: the part of the name that was found.
        rest: the rest of the name.
    """
    spec = find_spec("torch")  # of a package without parents: nothing is imported
    if spec is None or spec.origin is None:
        return False
    here = Path(spec.origin).parent.joinpath(*module.split(".")[1:])
    part = rest.partition(".")[0]
    if (here / part).is_dir() or (here / f"{part}.py").is_file():
        return True
    if _in_extension(here, part):
        return True
    hidden = here.with_suffix(".py")
    return hidden.is_file() and re.search(rf"\b{part}\b", hidden.read_text("utf-8", "replace")) is not None


@lru_cache(maxsize=1_000)
def _in_extension(package: Path, name: str) -> bool:
    """Return whether a file of a package imports a name from the compiled part of torch.

    Args:
        package: folder of the package; there may be none.
        name: the name.
    """
    for path in package.glob("*.py"):
        text = path.read_text("utf-8", "replace")
        if re.search(rf"\b{name}\b", text) and any(
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith("torch._C")
            and any(alias.name == name for alias in node.names)
            for node in ast.walk(ast.parse(text))
        ):
            return True
    return False

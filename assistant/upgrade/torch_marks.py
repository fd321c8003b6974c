"""What the installed torch itself tells of the names in use, in addition to the notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from assistant.api_usage.lookup import Lookup, look_up
from assistant.api_usage.names import ApiName
from assistant.upgrade.finding import Kind
from assistant.upgrade.uses import Use

_MOST = 2_000  # names that are looked up
_PRIVATE = "torch._C."


@dataclass(frozen=True, slots=True)
class Mark:
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
    """Return the names of torch to look up, without private parts of the extension module.

    Args:
        uses: uses of all files.
    """
    names = {
        use.names[0]
        for use in uses
        if not (use.member or use.defined or use.owned)
        and use.sure
        and use.names[0].startswith(("torch.", "functorch."))
    }
    return tuple(sorted(name for name in names if not name.startswith(_PRIVATE) and name.count(".") < 8))[
        :_MOST
    ]


def ask_torch(names: Iterable[str]) -> Lookup:
    """Look up names in the installed torch, in a process of its own.

    Args:
        names: full names.

    Raises:
        TorchnotesError: torch cannot be imported here.
    """
    return look_up([ApiName(name, name, ()) for name in names])


def marks_in(lookup: Lookup) -> dict[str, Mark]:
    """Return what a lookup tells of names that are missing or deprecated.

    Args:
        lookup: the lookup.
    """
    return dict(_marks(lookup))


def _marks(lookup: Lookup) -> Iterator[tuple[str, Mark]]:
    for each in lookup.names:
        name = each.name.name
        if each.exists is False:
            rest = name[len(each.reached) + 1 :]
            if _is_module(each.reached) and not _on_disk(each.reached, rest):
                yield name, Mark("breaks", f"{name} does not exist.", each.near, missing=True)
            continue
        told = next((d for d in each.deprecated if d.source != "module"), None)
        if told:
            yield name, Mark("breaks" if told.source == "raises" else "deprecated", told.words)


def _is_module(name: str) -> bool:
    """Return whether a name is that of a module by its form: attributes of classes may come at run time."""
    return bool(name) and not any(part[:1].isupper() for part in name.split("."))


def _on_disk(module: str, rest: str) -> bool:
    """Return whether a part of a module is a file, which here may only lack another package."""
    spec = find_spec("torch")  # of a package without parents: nothing is imported
    if spec is None or spec.origin is None:
        return False
    folder = Path(spec.origin).parent.joinpath(*module.split(".")[1:])
    part = folder / rest.partition(".")[0]
    return part.is_dir() or part.with_suffix(".py").is_file()

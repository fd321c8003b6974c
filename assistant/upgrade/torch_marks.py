"""What the installed torch itself tells of the names in use, in addition to the notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
        if not use.member
        and not use.defined
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
            if each.reached.count(".") >= 1 or name.count(".") == 1:
                yield name, Mark("breaks", f"{name} does not exist.", each.near, missing=True)
            continue
        told = next((d for d in each.deprecated if d.source != "module"), None)
        if told:
            yield name, Mark("breaks" if told.source == "raises" else "deprecated", told.words)

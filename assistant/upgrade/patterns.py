"""What to look for: names of the changes as patterns of code, and the effect of each on an upgrade."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from assistant.upgrade.finding import Kind
from corpus.changes import Change, load_changes
from ingest.release import Release

_NAME = re.compile(r"(?P<path>(?:torch|functorch|caffe2)(?:\.\w+)+)(?:\((?P<inside>[^()]*)\))?", re.A)
_KEYWORD = re.compile(r"(?P<keyword>\w+)=(?P<value>.*)", re.A)
#: What a C++, build, install or shell file can hold, in contrast to words such as "GCC" and "Volta".
_TEXT = re.compile(
    r"[\w:]+::\w+|std::\w+<[\w:]+>|/[\w./-]{5,}|--?\w[\w+=-]{4,}|_*[A-Z][A-Z0-9]+_[A-Z0-9_]+(?:[= ]\w+)?"
    r"|\w+/\w[\w/]*\.h|kDL\w+|aoti_\w+|[A-Z][A-Za-z0-9]{18,}|pytorch-[\w-]+"
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A name of a change as code would hold it.

    Attributes:
        symbol: the name as the change has it.
        path: full name of the API.
        keyword: argument that is concerned, "" if it is the API itself; "0" is the first by position.
        value: value of the argument that is concerned, as Python, "" for any.
        kind: effect on the upgrade.
        case: whether only some of the uses are affected.
        raised: whether it is the type of an exception that changes, which only concerns code that catches it.
        change: the change.
    """

    symbol: str
    path: str
    keyword: str
    value: str
    kind: Kind
    case: bool
    raised: bool
    change: Change


def patterns_for(older: Release, newer: Release) -> Mapping[str, tuple[Pattern, ...]]:
    """Return the patterns for Python that matter for an upgrade, by the full name of the API.

    Args:
        older, newer: the releases.
    """
    found: dict[str, list[Pattern]] = defaultdict(list)
    for change, kind in effective(older, newer):
        if change.files == "python":
            for name in change.names:
                if pattern := _pattern(name, change, kind):
                    found[pattern.path].append(pattern)
    return {path: tuple(patterns) for path, patterns in found.items()}


def text_names_for(older: Release, newer: Release, files: Iterable[str]) -> list[tuple[str, Change, Kind]]:
    """Return the names that are searched for as text: those of C++, of builds, of shells.

    Args:
        older, newer: the releases.
        files: kinds of files whose changes are wanted, see `corpus.changes.FileKind`.
    """
    wanted = set(files)
    return [
        (name, change, kind)
        for change, kind in effective(older, newer)
        for name in change.names
        if change.files in wanted or ("cpp" in wanted and ("::" in name or name.startswith("kDL")))
        if _TEXT.fullmatch(name)
    ]


@lru_cache(maxsize=32)
def effective(older: Release, newer: Release) -> tuple[tuple[Change, Kind], ...]:
    """Return the changes that matter for an upgrade, with their effect.

    Args:
        older, newer: the releases.
    """
    gone = {
        name
        for change in load_changes()
        if change.kind == "removed" and Release.parse(change.removed_in) <= older
        for name in change.names
    }
    return tuple(
        (change, kind)
        for change in load_changes()
        if (kind := _effect(change, older, newer)) and not (change.names and gone.issuperset(change.names))
    )


def _effect(change: Change, older: Release, newer: Release) -> Kind | None:
    since = Release.parse(change.since)
    if change.kind == "removed":
        removed = Release.parse(change.removed_in)
        if older < removed <= newer:
            return "breaks"
        return "deprecated" if since <= newer < removed else None
    if change.kind == "deprecated":
        # An announced removal proves nothing: a change of its own tells what has been removed.
        return "deprecated" if since <= newer else None
    if not older < since <= newer:
        return None
    return {"breaking": "breaks", "default": "default", "platform": "platform"}[change.kind]  # type: ignore[return-value]


def _pattern(name: str, change: Change, kind: Kind) -> Pattern | None:
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    path, inside = match["path"], match["inside"]
    case = name in change.cases
    errors = bool(change.replacement) and all(each.endswith("Error") for each in change.replacement)
    raised = errors and change.kind != "removed"  # a class of errors that goes concerns all that name it
    if inside is None:
        return Pattern(name, path, "", "", kind, case or kind == "default", raised, change)
    keyword = _KEYWORD.fullmatch(inside)
    if keyword is None:
        return Pattern(name, path, "0", inside, kind, case, raised, change) if inside else None
    return Pattern(name, path, keyword["keyword"], keyword["value"], kind, case, raised, change)


def same_value(node: ast.expr, value: str) -> bool | None:
    """Return whether an expression has a value, None if that cannot be determined.

    Args:
        node: the expression.
        value: the value as Python.
    """
    if not isinstance(node, ast.Constant):
        return None
    return bool(node.value == ast.literal_eval(value))

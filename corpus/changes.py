"""What breaks: breaking changes and deprecations of the releases as data, beside the digests on them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CHANGES = Path(__file__).with_name("changes")

ChangeKind = Literal["breaking", "deprecated", "removed", "default", "platform"]
FileKind = Literal["python", "cpp", "build", "shell", "config"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
FILE_KINDS: tuple[FileKind, ...] = get_args(FileKind)


@dataclass(frozen=True, slots=True)
class Change:
    """A breaking change or a deprecation of a release.

    Attributes:
        release: release whose digest explains it, such as "2.14".
        section: id of the section in that digest.
        kind: "removed" is gone, "default" behaves otherwise unless told, "platform" is no longer run on.
        names: what a user's code would hold: API names, keyword arguments as `f(argument=)`, options as
            `f(option='value')`, flags, environment variables; empty where no name tells. `f(3=)` is the
            fourth argument where it is passed by position.
        replacement: what to use in its place; empty where there is none.
        since: release in which it became so.
        removed_in: release that removes it, or is announced to; "" where none is named.
        files: kind of file that would hold the names.
        cases: those of the names whose uses are affected only in the case that the summary tells; other
            names are affected wherever they are used.
        unless: arguments, by name or position: a call that passes one of them is not affected, nor is a use
            that is not a call. Of `f(argument=)` with its own argument here, calls that leave it out are.
        pairs: whether each name has one replacement, that at its own place in `replacement`.
        summary_en, summary_zh: one sentence: what changed and what to do.
    """

    release: str
    section: str
    kind: ChangeKind
    names: tuple[str, ...]
    replacement: tuple[str, ...]
    since: str
    removed_in: str
    files: FileKind
    summary_en: str
    summary_zh: str
    cases: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    pairs: bool = False

    def replacement_of(self, name: str) -> tuple[str, ...]:
        """Return what to use in place of one of the names.

        Args:
            name: the name, as in `names`.
        """
        return (self.replacement[self.names.index(name)],) if self.pairs else self.replacement


@lru_cache(maxsize=1)
def load_changes(folder: Path = CHANGES) -> tuple[Change, ...]:
    """Return the changes, the oldest release first, those of a release in the order of its digest.

    Args:
        folder: folder with one TOML file a release.
    """
    paths = sorted(folder.glob("*.toml"), key=lambda path: [int(part) for part in path.stem.split(".")])
    return tuple(change for path in paths for change in _read(path))


def _read(path: Path) -> list[Change]:
    with path.open("rb") as file:
        tables = tomllib.load(file)["change"]
    return [
        Change(
            release=path.stem,
            section=table["section"],
            kind=table["kind"],
            names=tuple(table["names"]),
            replacement=tuple(table["replacement"]),
            since=table["since"],
            removed_in=table["removed_in"],
            files=table["files"],
            summary_en=table["summary_en"],
            summary_zh=table["summary_zh"],
            cases=tuple(table.get("cases", ())),
            unless=tuple(table.get("unless", ())),
            pairs=table.get("pairs", False),
        )
        for table in tables
    ]

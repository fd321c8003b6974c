"""Findings in a code base, and the report that holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any, Literal, get_args

from ingest.release import Release

Kind = Literal["breaks", "default", "deprecated", "platform", "status", "new"]
Certainty = Literal["sure", "likely", "name"]

#: In order of seriousness.
KINDS: tuple[Kind, ...] = get_args(Kind)
#: "sure": the syntax proves the use. "likely": the type or an argument is inferred. "name": the name is used,
#: but only in the case that the quote describes is it affected.
CERTAINTIES: tuple[Certainty, ...] = get_args(Certainty)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file.

    Attributes:
        file: path relative to the folder that was searched, with forward slashes.
        line, column: start, both from 1; columns count characters.
        end_line, end_column: end; the column is that after the last character.
        cell: number of the cell of a notebook, from 1; 0 in other files.
        code: the line, without indentation.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: int
    code: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A use of something that changes.

    Attributes:
        place: where it is.
        symbol: what is used, such as "torch.load(weights_only=)".
        kind: effect of the change.
        certainty: how certain it is that the change affects this use.
        release: release whose notes describe it; "" if it is torch itself that tells.
        since: release since which it is so, "" if unknown.
        removed_in: release that removes it, "" if none is named.
        quote: the notes' sentence, or torch's own message.
        url: address of the source, "" for torch.
        replacement: what to use instead, may be empty.
        check: id of the check that shows the change on this machine, "" if there is none.
        section: id of the section of the digest.
        source: "notes", or the torch whose message is quoted, such as "torch 2.8.0".
        why: how the status changed, or what the code does by hand; "" for other kinds.
    """

    place: Place
    symbol: str
    kind: Kind
    certainty: Certainty
    release: str
    since: str
    removed_in: str
    quote: str
    url: str
    replacement: tuple[str, ...]
    check: str
    section: str
    source: str = "notes"
    why: str = ""

    @property
    def order(self) -> tuple[int, int, str, int, int]:
        """Sort key: certain before possible, most serious first, then by place."""
        possible = int(self.certainty == "name")
        return possible, KINDS.index(self.kind), self.place.file, self.place.line, self.place.column

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        fields = asdict(self)
        return {**fields.pop("place"), **fields}


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that was not searched.

    Attributes:
        file: relative path.
        reason: why, in one line.
    """

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class Searched:
    """What was searched.

    Attributes:
        files: number of files by kind.
        lines: number of lines of Python.
        names: different names of torch that were found.
        guarded: uses behind a check of the version or an `except ImportError`, as "file:line symbol"; they
            are left out of the findings.
        skipped: what was not searched.
        changes: number of changes of the notes that were looked for.
        releases: releases whose changes these are, oldest first.
        listing: how files were chosen: "git" respects .gitignore; "folders" leaves out hidden folders and
            virtual environments; "file" is a single file.
        torch: version of the torch that was asked about deprecated and missing names; "" if none was.
    """

    files: dict[str, int]
    lines: int
    names: int
    guarded: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    changes: int
    releases: tuple[str, ...]
    listing: str
    torch: str = ""


@dataclass(frozen=True, slots=True)
class UpgradeReport:
    """What an upgrade affects in a code base.

    Attributes:
        path: what was searched, as given.
        older, newer: releases of the upgrade.
        older_from, newer_from: where these versions come from, such as "requirements.txt:3" or "given".
        findings: most serious first, those that are only possible last.
        searched: what was searched.
    """

    path: str
    older: Release
    newer: Release
    older_from: str
    newer_from: str
    findings: tuple[Finding, ...]
    searched: Searched

    @property
    def prefix(self) -> PurePosixPath:
        """What leads from the current folder to the files; empty where the path was absolute."""
        given = PurePosixPath(self.path.replace("\\", "/"))
        if given.is_absolute() or ".." in given.parts:
            return PurePosixPath()
        return given.parent if self.searched.listing == "file" else given

    def counts(self) -> Counter[str]:
        """Return the number of findings of each kind, those that are only possible under "possible"."""
        return Counter("possible" if f.certainty == "name" else f.kind for f in self.findings)

    def failing(self, level: Literal["breaking", "deprecated"]) -> Sequence[Finding]:
        """Return the findings that fail a build; those that are only possible never do.

        Args:
            level: "breaking" stands for what breaks and for changed defaults; "deprecated" adds deprecations.
        """
        kinds = ("breaks", "default") if level == "breaking" else ("breaks", "default", "deprecated")
        return [each for each in self.findings if each.kind in kinds and each.certainty != "name"]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {
            "path": self.path,
            "from": str(self.older),
            "from_source": self.older_from,
            "to": str(self.newer),
            "to_source": self.newer_from,
            "findings": [each.to_dict() for each in self.findings],
            "counts": dict(self.counts()),
            "searched": asdict(self.searched),
        }

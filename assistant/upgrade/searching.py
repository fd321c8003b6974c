"""The search of selected files for what an upgrade affects. Nothing here starts a program.

Which checks show a change, and what the installed torch marks, others tell: see `report.upgrade_report`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assistant.upgrade.finding import Finding, Searched, Skipped, UpgradeReport
from assistant.upgrade.patterns import effective
from assistant.upgrade.pins import Pin, chosen, installed, pins_in
from assistant.upgrade.reading import Part, parts_of, reason, text_of
from assistant.upgrade.search import CheckOf, Search, no_check, proved
from assistant.upgrade.source_files import Listing, SourceFile
from assistant.upgrade.text_names import declared_in
from assistant.upgrade.uses import PACKAGES, Use
from corpus.changes import load_changes
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release

if TYPE_CHECKING:
    from assistant.upgrade.torch_marks import TorchMark

#: Tells the version of a torch, and what it marks of some uses, for an upgrade.
MarksOf = Callable[[Iterable[Use], Release, Release], "tuple[str, dict[str, TorchMark]]"]
MOST_FINDINGS = 5_000  # of a file
_FAILURES = (OSError, SyntaxError, ValueError, RecursionError, MemoryError)


def report_on_listing(
    listing: Listing,
    path: str,
    older: str | Release | None,
    newer: str | Release | None,
    language: Language,
    *,
    marks_of: MarksOf | None = None,
    check_of: CheckOf = no_check,
) -> UpgradeReport:
    """Tell what an upgrade of torch affects in files that are selected already.

    Args:
        listing: the files.
        path: what the report calls them.
        older, newer, language: as for `upgrade_report`.
        marks_of: tells what a torch marks; None: none is asked.
        check_of: tells the check that shows a change.

    Raises:
        TorchnotesError: a release is unknown, missing, or not newer than the other.
    """
    run = _Run(listing)
    run.read()
    first, second, first_from, second_from = releases_of(older, newer, run.pins)
    search = Search(first, second, language, check_of)
    findings = run.search(search)
    torch = ""
    if marks_of is not None:
        try:
            torch, marks = marks_of(run.uses, first, second)
        except TorchnotesError as error:  # the notes tell what they tell all the same
            run.skipped.append(Skipped("torch", str(error)))
        else:
            told = proved(findings)
            for part in run.parts:
                findings += search.marks(part, marks, torch, told)
    changes = effective(first, second)
    return UpgradeReport(
        path=path,
        older=first,
        newer=second,
        older_from=first_from,
        newer_from=second_from,
        findings=tuple(sorted(dict.fromkeys(findings), key=lambda each: each.order)),
        searched=Searched(
            files=dict(Counter(file.kind for file in listing.files)),
            lines=run.lines,
            names=len({name for use in run.uses if not use.member for name in use.names[:1] if name}),
            guarded=tuple(dict.fromkeys(run.guarded)),
            skipped=(*listing.skipped, *run.skipped),
            changes=len(changes),
            releases=tuple(dict.fromkeys(change.release for change, _ in changes)),
            listing=listing.how,
            torch=torch,
        ),
    )


def releases_of(
    older: str | Release | None, newer: str | Release | None, pins: Sequence[Pin]
) -> tuple[Release, Release, str, str]:
    """Determine the releases of an upgrade, and where they come from.

    Args:
        older, newer: as given.
        pins: versions that the code base asks for.

    Raises:
        TorchnotesError: a release is unknown, missing, or not newer than the other.
    """
    known = sorted({Release.parse(change.release) for change in load_changes()})
    first, first_from = _given(older), "given"
    second, second_from = _given(newer), "given"
    pin, here = chosen(pins), installed()
    if first is None and pin and (second is None or pin.release < second):
        first, first_from = pin.release, pin.place
    if first is None and here and (second is None or here < second):
        first, first_from = here, "installed"
    if first is None:
        why = f"torch {here}, which is installed, is not older than {second}" if here else "none is installed"
        raise TorchnotesError(
            f"no version of torch to upgrade from: no file asks for one that is older, and {why}; "
            "give it, such as --from 2.3"
        )
    if second is None:
        second, second_from = known[-1], "newest of the notes"
        for release, place in (
            (pin.release, pin.place) if pin else (first, ""),
            (here or first, "installed"),
        ):
            if release > first and first_from == "given":
                second, second_from = release, place
                break
    if second > known[-1]:
        raise TorchnotesError(f"nothing is known of release {second} yet; give --to at most {known[-1]}")
    if first >= second:
        raise TorchnotesError(f"{second} is not newer than {first}; give an older --from or a newer --to")
    return first, second, first_from, second_from


def _given(release: str | Release | None) -> Release | None:
    if release is None or isinstance(release, Release):
        return release
    try:
        return Release.parse(release)
    except ValueError as error:
        raise TorchnotesError(str(error)) from None


@dataclass
class _Run:
    """Files of a code base as they are read and searched."""

    listing: Listing
    parts: list[Part] = field(default_factory=list)
    texts: list[tuple[SourceFile, str]] = field(default_factory=list)
    pins: list[Pin] = field(default_factory=list)
    guarded: list[str] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    lines: int = 0
    own: set[str] = field(default_factory=set)

    @property
    def uses(self) -> Iterator[Use]:
        """All uses of torch."""
        return (use for part in self.parts if part.code for use in part.code.uses)

    def read(self) -> None:
        """Read all files; one that cannot be read costs a line."""
        for file in self.listing.files:
            root, _, rest = file.name.removeprefix("src/").partition("/")
            if root in PACKAGES and rest == "__init__.py":
                self.own.add(root)
                self.skipped.append(Skipped(file.name, f"{root} is this code base: its names are its own"))
        for file in self.listing.files:
            try:
                self._read(file)
            except _FAILURES as error:
                self.skipped.append(Skipped(file.name, reason(error)))

    def _read(self, file: SourceFile) -> None:
        text = text_of(file)
        if file.kind in ("python", "notebook"):
            self.lines += text.count("\n") + 1 if file.kind == "python" else 0
            for part in parts_of(file, text):
                if isinstance(part, str):
                    self.skipped.append(Skipped(file.name, part))
                elif part.code is not None or part.commands:
                    self.parts.append(self._without_own(part))
            if file.name.rpartition("/")[2] != "setup.py":
                return
        self.texts.append((file, text))
        if file.kind != "cpp":
            self.pins += pins_in(file.name, text)

    def _without_own(self, part: Part) -> Part:
        """Return a part without uses of packages that the code base itself is."""
        if not self.own or part.code is None:
            return part
        uses = (use for use in part.code.uses if use.member or use.names[0].partition(".")[0] not in self.own)
        return replace(part, code=replace(part.code, uses=tuple(uses)))

    def search(self, search: Search) -> list[Finding]:
        """Search all that was read."""
        findings: list[Finding] = []
        for part in self.parts:
            found = search.code(part)
            findings += self._first(part.file, found.findings)
            self.guarded += found.guarded
        cpp = (text for file, text in self.texts if file.kind == "cpp")
        own = frozenset(name for text in cpp for name in declared_in(text))
        for file, text in self.texts:
            findings += self._first(file, search.text(file, text, own))
        return findings

    def _first(self, file: SourceFile, found: Sequence[Finding]) -> Sequence[Finding]:
        """Return as many findings of a file as are told; that there are more costs a line."""
        if len(found) > MOST_FINDINGS:
            self.skipped.append(Skipped(file.name, f"all but the first {MOST_FINDINGS:,} findings"))
        return found[:MOST_FINDINGS]

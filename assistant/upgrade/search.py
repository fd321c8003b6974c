"""Search of one file: findings in its code and in its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.upgrade.finding import Certainty, Finding, Kind, Place
from assistant.upgrade.matching import matches
from assistant.upgrade.novelties import Novelties
from assistant.upgrade.patterns import patterns_for, text_names_for
from assistant.upgrade.platform_rules import PlatformMatch, PlatformRules
from assistant.upgrade.quotes import quote_of
from assistant.upgrade.reading import Part, rows_of, shown_row
from assistant.upgrade.source_files import SourceFile
from assistant.upgrade.text_names import SETUP_FILES, TextNames
from corpus.changes import Change
from ingest.document import Language
from ingest.release import Release

if TYPE_CHECKING:
    from assistant.upgrade.torch_marks import TorchMark

#: Tells the id of the check that shows a change, "" if there is none.
CheckOf = Callable[[Change], str]
#: File, cell, line and column.
Start = tuple[str, int, int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """What one part of a file holds.

    Attributes:
        findings: the findings.
        guarded: places behind a guard, as in `Searched.guarded`.
    """

    findings: tuple[Finding, ...]
    guarded: tuple[str, ...]


def no_check(change: Change) -> str:
    """Return "": no check is named.

    Args:
        change: a change.
    """
    del change
    return ""


class Search:
    """Search of files for the changes of an upgrade.

    Args:
        older, newer: the releases.
        language: language of the quotes.
        check_of: tells the check that shows a change.
    """

    def __init__(
        self, older: Release, newer: Release, language: Language, check_of: CheckOf = no_check
    ) -> None:
        self._older, self._newer = older, newer
        self._language: Language = language
        self._check_of = check_of
        self._patterns = patterns_for(older, newer)
        self._platforms = PlatformRules(older, newer, language)
        self._names = TextNames(older, newer)
        self._novelties = Novelties(older, newer, language)
        self._variables = {
            name: (change, kind)
            for name, change, kind in text_names_for(
                older, newer, ("python", "shell", "build", "config", "cpp")
            )
            if re.fullmatch(r"[A-Z][A-Z0-9_]+|--\w+", name)
        }

    def code(self, part: Part) -> Found:
        """Search Python code.

        Args:
            part: a file or a cell.
        """
        findings: list[Finding] = []
        guarded: list[str] = []
        for match in matches(part.code.uses if part.code else (), self._patterns):
            place = part.place(match.use.node)
            symbol = match.pattern.symbol
            # A default that changes raises nothing that `except` could be prepared for.
            if match.use.versioned if match.pattern.kind == "default" else match.use.guarded:
                guarded += [f"{place.file}:{place.line} {symbol}"] if match.certainty != "name" else []
                continue
            findings.append(
                self._finding(place, symbol, match.pattern.kind, match.certainty, match.pattern.change)
            )
        strings = part.code.strings if part.code else ()
        present = {name for name, _ in strings}
        for name, node in strings:
            if name in self._variables:
                change, kind = self._variables[name]
                if present.intersection(change.replacement_of(name)):
                    continue  # it sets both
                certain: Certainty = "name" if name in change.cases else "likely"
                findings.append(self._finding(part.place(node), name, kind, certain, change))
        for line, text in part.commands:
            findings += self._commands(part, line, text)
        findings += self._novelties.findings(part)
        return Found(tuple(findings), tuple(guarded))

    def marks(
        self, part: Part, marks: dict[str, TorchMark], torch: str, told: Collection[Start]
    ) -> Iterator[Finding]:
        """Yield what torch itself tells of the names in a part, where the notes tell nothing.

        Args:
            part: a file or a cell.
            marks: what torch tells, by name.
            torch: its version.
            told: where the notes tell of something, see `proved`.
        """
        for use in part.code.uses if part.code else ():
            mark = marks.get(use.names[0])
            if mark is None or use.guarded or use.member or use.defined or use.owned or not use.sure:
                continue
            if mark.missing and use.postponed:
                continue
            place = part.place(use.node)
            if _start(place) in told:
                continue
            certainty: Certainty = "likely" if mark.missing or self._is_newer(torch) else "sure"
            yield Finding(
                place=place,
                symbol=use.names[0],
                kind=mark.kind,
                certainty=certainty,
                release="",
                since="",
                removed_in="",
                quote=mark.words,
                url="",
                replacement=mark.suggestions,
                check="",
                section="",
                source=f"torch {torch}",
            )

    def _is_newer(self, torch: str) -> bool:
        """Return whether a torch is newer than the upgrade goes: it may mark what is not deprecated there."""
        return Release.parse(".".join(torch.split(".")[:2])) > self._newer

    def text(self, file: SourceFile, text: str, own: Collection[str] = ()) -> list[Finding]:
        """Search a file as text: platforms, names of C++, of builds and of shells.

        Args:
            file: the file.
            text: its text.
            own: names of C++ that the code base declares itself.
        """
        findings: list[Finding] = []
        if file.kind != "cpp" and (file.kind != "python" or file.name.rpartition("/")[2] in SETUP_FILES):
            findings += (
                self._platform(file.name, each, text, 0, 0) for each in self._platforms.matches(text)
            )
        for match in self._names.matches(file, text, own):
            row = rows_of(text)[match.line - 1]
            place = _place(file.name, match.line, (match.start, match.end), row, 0)
            findings.append(self._finding(place, match.name, match.kind, match.certainty, match.change))
        return findings

    def _commands(self, part: Part, line: int, text: str) -> Iterator[Finding]:
        for each in self._platforms.matches(text):
            yield self._platform(part.file.name, each, text, part.line_of(line), part.cell_of(line))

    def _platform(self, name: str, match: PlatformMatch, text: str, line: int, cell: int) -> Finding:
        row = rows_of(text)[match.line - 1]
        place = _place(name, line or match.line, (match.start, match.end), row, cell)
        return Finding(
            place=place,
            symbol=match.symbol,
            kind="platform",
            certainty=match.certainty,
            release=match.release,
            since="",
            removed_in="",
            quote=match.quote.text,
            url=match.quote.url,
            replacement=match.replacement,
            check="",
            section="platform",
        )

    def _finding(
        self, place: Place, symbol: str, kind: Kind, certainty: Certainty, change: Change
    ) -> Finding:
        quote = quote_of(change, symbol, self._language)
        return Finding(
            place=place,
            symbol=symbol,
            kind=kind,
            certainty=certainty,
            release=change.release,
            since=change.since,
            removed_in=change.removed_in,
            quote=quote.text,
            url=quote.url,
            replacement=change.replacement_of(symbol),
            check=self._check_of(change),
            section=change.section,
        )


def proved(findings: Iterable[Finding]) -> frozenset[Start]:
    """Return where uses start that are affected, without those that are only possible or lose nothing.

    Args:
        findings: what the notes tell.
    """
    return frozenset(
        _start(each.place)
        for each in findings
        if each.certainty != "name" and each.kind not in ("status", "new")
    )


def _start(place: Place) -> Start:
    return place.file, place.cell, place.line, place.column


def _place(name: str, line: int, span: tuple[int, int], row: str, cell: int) -> Place:
    start, end = span
    return Place(name, line, start + 1, line, end + 1, cell, shown_row(row))

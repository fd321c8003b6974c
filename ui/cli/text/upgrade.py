"""Formatting of the upgrade report for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ui.cli.text.api import bold, shown
from ui.shared.console import one_line

if TYPE_CHECKING:
    from assistant.upgrade.finding import UpgradeReport
    from assistant.upgrade.groups import Group
    from ingest.document import Language

_COLORS = {
    "breaks": "red",
    "default": "yellow",
    "deprecated": "yellow",
    "platform": "magenta",
    "status": "cyan",
    "new": "green",
}
_MOST_LINES = 12
_MOST_PLACES = 4
_MOST_SKIPPED = 10


def told_upgrade(report: UpgradeReport, language: Language) -> str:
    """Format a report: files with the most serious findings first, then what is only possible.

    Args:
        report: the report.
        language: language of the text.
    """
    return "\n".join(_lines(report, language))


def _lines(report: UpgradeReport, language: Language) -> Iterator[str]:
    from assistant.upgrade import words
    from assistant.upgrade.groups import by_file, possible

    yield bold(one_line(words.title(report, language)))
    yield one_line(words.sources(report, language))
    yield words.counts(report, language) or words.NOTHING[language]
    for file, groups in by_file(report.findings).items():
        yield from ("", bold(one_line(file)))
        for group in groups:
            yield from _group(group, language)
    if maybe := possible(report.findings):
        yield from ("", bold(words.POSSIBLE[language]))
        for group in maybe:
            places = [one_line(f"{each.place.file}:{each.place.line}") for each in group.findings]
            more = f", … ({len(places)})" if len(places) > _MOST_PLACES else ""
            yield f"  {one_line(group.first.symbol)} · {', '.join(places[:_MOST_PLACES])}{more}"
            yield f"      “{shown(group.first.quote)}” {group.first.url}".rstrip()
    yield from ("", words.searched(report.searched, language))
    for each in report.searched.skipped[:_MOST_SKIPPED]:
        yield one_line(f"{words.SKIPPED[language]}: {each.file}: {each.reason}")
    if len(report.searched.skipped) > _MOST_SKIPPED:
        yield f"… ({len(report.searched.skipped)})"


def _group(group: Group, language: Language) -> Iterator[str]:
    from assistant.upgrade import words

    first = group.first
    kind = click.style(words.KIND_NAMES[language][first.kind], fg=_COLORS[first.kind])
    told = [kind, bold(one_line(first.symbol)), *words.facts(first, language)]
    more = ", …" if len(group.lines) > _MOST_LINES else ""
    yield f"  {', '.join(group.lines[:_MOST_LINES])}{more}: {' · '.join(told)}"
    yield f"      {shown(first.place.code)}"
    yield f"      “{shown(first.quote)}” {first.url}".rstrip()
    if instead := words.instead(first, language, one_line):
        yield f"      {instead}"
    if first.check:
        yield f"      {words.CHECK[language].format(id=first.check)}"

"""The upgrade report as Markdown, for a ticket."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.groups import Group, by_file, possible
from assistant.upgrade.words import (
    CHECK,
    KIND_NAMES,
    LINE,
    NOTHING,
    POSSIBLE,
    SKIPPED,
    counts,
    facts,
    instead,
    searched,
    sources,
    title,
)
from ingest.document import Language

_MOST_SKIPPED = 20
_MOST_PLACES = 5


def to_markdown(report: UpgradeReport, language: Language = "en") -> str:
    """Format a report as Markdown with a box to tick for each symbol of a file.

    Args:
        report: the report.
        language: language of the text around quotes.
    """
    return "\n".join(_lines(report, language)).rstrip() + "\n"


def _lines(report: UpgradeReport, language: Language) -> Iterator[str]:
    yield from (f"# {_plain(title(report, language))}", "")
    yield from (_plain(sources(report, language)), "")
    yield from (counts(report, language) or NOTHING[language], "")
    for file, groups in by_file(report.findings).items():
        yield from (f"## {_plain(file)}", "")
        for group in groups:
            yield from _group(group, language)
        yield ""
    if maybe := possible(report.findings):
        yield from (f"## {POSSIBLE[language]}", "")
        for group in maybe:
            places = [f"{each.place.file}:{each.place.line}" for each in group.findings]
            more = f", … ({len(places)})" if len(places) > _MOST_PLACES else ""
            shown = ", ".join(map(_code, places[:_MOST_PLACES]))
            yield f"- {_code(group.first.symbol)}: {shown}{more}  \n  {_quote(group)}"
        yield ""
    yield searched(report.searched, language)
    if report.searched.skipped:
        yield from ("", f"{SKIPPED[language]}:", "")
        yield from (
            f"- {_code(each.file)}: {_plain(each.reason)}" for each in report.searched.skipped[:_MOST_SKIPPED]
        )
        if len(report.searched.skipped) > _MOST_SKIPPED:
            yield f"- … ({len(report.searched.skipped)})"


def _group(group: Group, language: Language) -> Iterator[str]:
    first = group.first
    told = [f"**{KIND_NAMES[language][first.kind]}**", _code(first.symbol), *facts(first, language)]
    yield f"- [ ] {' · '.join(told)} · {LINE[language].format(n=', '.join(group.lines))}  "
    yield f"  {_code(first.place.code)}  "
    yield f"  {_quote(group)}"
    if replacement := instead(first, language, _code):
        yield f"  - {replacement}"
    if first.check:
        yield f"  - {CHECK[language].format(id=first.check)}"


def _quote(group: Group) -> str:
    url = f" <{group.first.url}>" if group.first.url else ""
    return f"> {_plain(group.first.quote)}{url}"


def _code(text: str) -> str:
    """Return a text as a code span of one line, with more backticks around it than are anywhere in it."""
    line = " ".join(text.split())
    ticks = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    return f"{ticks} {line} {ticks}" if "`" in line else f"`{line}`"


def _plain(text: str) -> str:
    """Escape what Markdown would read as markup: names of files and code are not ours."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|" else c for c in " ".join(text.split()))

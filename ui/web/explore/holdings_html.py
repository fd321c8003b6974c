"""Formatting of the index's statistics, with the commands to get missing documents."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from html import escape
from typing import cast

from ingest.document import LANGUAGES, Kind, Language
from ui.shared.labels import KIND_NAMES, LANGUAGE_NAMES
from ui.web.components.links import link
from ui.web.components.safe import safe
from ui.web.explore import explore_labels as words
from ui.web.explore.holdings import HeldDocuments, Holdings, ReleaseHoldings


def holdings_html(held: Holdings, official: int, language: Language) -> str:
    """Format the statistics of an index.

    Args:
        held: the statistics.
        official: number of official documents.
        language: language of the text.
    """
    parts = (_totals(held, language), _missing(held, official, language), _table(held, language))
    return safe("".join(parts))


def _totals(held: Holdings, language: Language) -> str:
    facts = (
        (words.DOCUMENTS, f"{held.documents:,}"),
        (words.SECTIONS, f"{held.sections:,}"),
        (words.CHUNKS, f"{held.chunks:,}"),
        (words.SENTENCES, f"{held.sentences:,}"),
        (words.WRITTEN, _moment(held.written, language)),
        (words.SYNCED, _moment(held.synced, language)),
        (words.EMBEDDER, held.embedder),
    )
    items = "".join(
        f'<li><span class="tn-quiet">{name[language]}</span> <strong>{escape(value)}</strong></li>'
        for name, value in facts
    )
    return f'<ul class="tn-totals">{items}</ul>'


def _missing(held: Holdings, official: int, language: Language) -> str:
    missing = sum(len(each.missing) for each in held.releases)
    if not missing:
        return f"<p>{words.MISSING_NONE[language]}</p>"
    newest = next(each.release for each in held.releases if each.missing)
    text = words.MISSING_COUNT[language].format(missing=missing, all=official)
    return (
        f"<p>{text} <code>torchnotes sync</code></p>"
        f"<p>{words.MISSING_ONE[language].format(release=newest)} "
        f"<code>torchnotes sync --releases {newest}</code></p>"
    )


def _table(held: Holdings, language: Language) -> str:
    columns = [
        words.RELEASE[language],
        *(LANGUAGE_NAMES[each] for each in LANGUAGES),
        words.MISSING[language],
    ]
    head = "".join(f'<th scope="col">{name}</th>' for name in columns)
    rows = "".join(_row(each, language) for each in held.releases)
    name = words.HOLDINGS_TABLE[language]
    return (
        f'<div class="tn-scroll" tabindex="0" role="region" aria-label="{name}">'
        f'<table class="tn-table tn-holdings"><caption>{name}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(of: ReleaseHoldings, language: Language) -> str:
    name = f"{of.release}" if of.release else words.NO_RELEASE[language]
    cells = "".join(f"<td>{_list(_counts(of, each, language))}</td>" for each in LANGUAGES)
    return f'<tr><th scope="row">{name}</th>{cells}<td>{_list(_wanting(of, language))}</td></tr>'


def _counts(of: ReleaseHoldings, native: Language, language: Language) -> Iterator[str]:
    for held in of.held:
        if held.language == native:
            yield escape(_count(held, language))


def _count(held: HeldDocuments, language: Language) -> str:
    counted = words.COUNTED_ONE if held.sections == 1 else words.COUNTED
    return counted[language].format(
        kind=KIND_NAMES[language][held.kind], documents=held.documents, sections=held.sections
    )


def _wanting(of: ReleaseHoldings, language: Language) -> Iterator[str]:
    for entry in of.missing:
        # The catalogue has both as plain strings.
        kind, native = cast("Kind", entry.kind), cast("Language", entry.language)
        name = words.MISSING_NAME[language].format(
            kind=KIND_NAMES[language][kind], language=LANGUAGE_NAMES[native]
        )
        yield link(entry.url, name) or name


def _list(items: Iterator[str]) -> str:
    told = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{told}</ul>" if told else "–"


def _moment(when: datetime | None, language: Language) -> str:
    if when is None:
        return words.NEVER[language]
    return f"{when.astimezone(timezone.utc):%Y-%m-%d %H:%M} UTC"

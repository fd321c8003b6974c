"""Formatting of documents, and of the results of changes; text from documents is escaped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from ingest.document import Document, Language
from ui.shared.console import one_line
from ui.shared.documents import known_as, ships
from ui.shared.labels import KIND_NAMES, LANGUAGE_NAMES
from ui.web.components.links import link
from ui.web.components.quote_html import quote_to_html
from ui.web.components.safe import safe
from ui.web.documents import document_labels as words

if TYPE_CHECKING:
    from index.storage.interface import Index
    from ui.web.components.background_work import WorkStep
    from ui.web.documents.intake import IntakeOutcome, RefusedDocument


#: Maximum characters of the filter; the page does not send more.
LONGEST_FILTER = 200


class Listed(NamedTuple):
    """A document of the index.

    Attributes:
        document: the document.
        sections: number of its sections.
        shipped: whether it ships with torchnotes.
    """

    document: Document
    sections: int
    shipped: bool


def listed(generation: Index, *, shipped_corpus: bool) -> list[Listed]:
    """Return the documents of an index: users' documents first, then by release, newest first.

    Args:
        generation: the index.
        shipped_corpus: whether shipped documents belong in the index.
    """
    sections: dict[str, set[int]] = {}
    for chunk in generation.chunks:
        sections.setdefault(chunk.document_id, set()).add(chunk.section)
    rows = [
        Listed(document, len(sections.get(document.id, ())), ships(document, shipped_corpus=shipped_corpus))
        for document in generation.documents.values()
    ]
    rows.sort(key=lambda row: (row.document.release or (0, 0), row.document.date is not None), reverse=True)
    return sorted(rows, key=lambda row: row.shipped)


def matching(rows: Iterable[Listed], text: str) -> list[Listed]:
    """Return the rows that contain all words of a text in any of their fields, in either language.

    Args:
        rows: documents of an index.
        text: words to search for, sent by a visitor; only the first `LONGEST_FILTER` characters are used.
    """
    wanted = set(text[:LONGEST_FILTER].casefold().split())
    texts = ((row, _searched(row)) for row in rows)
    return [row for row, searched in texts if all(word in searched for word in wanted)]


def label(document: Document, shown: Language) -> str:
    """Format a document as one line of plain text.

    Args:
        document: the document.
        shown: language of the interface.
    """
    return " · ".join((one_line(document.title), *_facts(document, shown), known_as(document.origin)))


def table_to_html(rows: Sequence[Listed], found: Sequence[Listed], shown: Language) -> str:
    """Format the matching documents as a table, with their number.

    Args:
        rows: all documents.
        found: matching documents.
        shown: language of the interface.
    """
    own = sum(not row.shipped for row in rows)
    counts = words.COUNT[shown].format(all=len(rows), own=own)
    if len(found) < len(rows):
        counts += " " + words.MATCHING[shown].format(shown=len(found))
    if not found:
        return safe(f'<p class="tn-doc-note">{counts}</p><p>{words.NONE_MATCHES[shown]}</p>')
    heads = "".join(f'<th scope="col">{name}</th>' for name in words.COLUMNS[shown])
    return safe(
        f'<p class="tn-doc-note">{counts}</p>'
        f'<div class="tn-doc-box" role="region" tabindex="0" aria-label="{words.HEAD[shown]}">'
        f'<table class="tn-doc-table"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(_row(row, shown) for row in found)}</tbody></table></div>"
    )


def step_to_html(step: WorkStep, shown: Language) -> str:
    """Format the progress of a change as one line.

    Args:
        step: the progress.
        shown: language of the interface.
    """
    line = (
        words.STEPS[shown].get(step.stage, step.stage).format(done=f"{step.done:,}", total=f"{step.total:,}")
    )
    return safe(f'<p class="tn-doc-step" role="status">{escape(line)}</p>')


def line_to_html(line: str, name: str = "tn-doc-note") -> str:
    """Format a line of text; backticks mark code.

    Args:
        line: plain text.
        name: CSS class.
    """
    return safe(f'<p class="{name}" role="status">{quote_to_html(line)}</p>')


def outcome_to_html(outcome: IntakeOutcome, shown: Language) -> str:
    """Format the result of a change: an entry per document, with what cleaning removed.

    Args:
        outcome: the result.
        shown: language of the interface.
    """
    entries = [
        *(_entry(words.FATES[shown][fate], fate, document, shown) for fate, document in outcome.taken),
        *(_entry(words.REMOVED[shown], "removed", document, shown) for document in outcome.removed),
        *(_refusal(refusal, shown) for refusal in outcome.refused),
    ]
    notes = [words.DIGESTS[shown].format(count=outcome.digests)] if outcome.digests else []
    if outcome.updated:
        counts = {name: f"{getattr(outcome, name):,}" for name in ("documents", "chunks", "embedded")}
        notes.append(words.HOLDS[shown].format(**counts))
    else:
        notes.append(words.NOTHING_TAKEN[shown])
    told = "".join(f'<p class="tn-doc-note">{note}</p>' for note in notes)
    return safe(
        f'<div role="status"><h3>{words.REPORT[shown]}</h3>'
        f'<ul class="tn-doc-report">{"".join(entries)}</ul>{told}</div>'
    )


def question_to_html(documents: Collection[Document], shown: Language) -> str:
    """Format the confirmation question before documents are removed.

    Args:
        documents: documents to remove.
        shown: language of the interface.
    """
    asked = words.CONFIRM[shown].format(count=len(documents))
    names = "".join(f"<li>{escape(label(document, shown))}</li>" for document in documents)
    return safe(f'<div role="alert"><p>{asked}</p><ul class="tn-doc-asked">{names}</ul></div>')


def _row(row: Listed, shown: Language) -> str:
    document = row.document
    title = escape(one_line(document.title))
    name = link(document.url, title) or title
    # Several users' documents may have the same title.
    source = "" if row.shipped or document.origin == document.url else _small(known_as(document.origin))
    badge = (
        f' <span class="tn-doc-badge" title="{words.SHIPPED_HINT[shown]}">{words.SHIPPED[shown]}</span>'
        if row.shipped
        else ""
    )
    cells = (
        document.version or "–",
        LANGUAGE_NAMES[document.language],
        KIND_NAMES[shown][document.kind],
        document.date.isoformat() if document.date else "–",
        f"{row.sections:,}",
    )
    return (
        f'<tr><th scope="row" lang="{document.language}">{name}{badge}{source}</th>'
        f"{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
    )


def _searched(row: Listed) -> str:
    document = row.document
    told = [document.title, document.url, known_as(document.origin)]
    for shown in LANGUAGE_NAMES:
        told += [label(document, shown), words.SHIPPED[shown] if row.shipped else ""]
    return " ".join(told).casefold()


def _facts(document: Document, shown: Language) -> list[str]:
    release = f"PyTorch {document.version}" if document.version else words.NO_RELEASE[shown]
    day = [document.date.isoformat()] if document.date else []
    return [release, LANGUAGE_NAMES[document.language], KIND_NAMES[shown][document.kind], *day]


def _entry(fate: str, name: str, document: Document, shown: Language) -> str:
    facts = escape(" · ".join((*_facts(document, shown), known_as(document.origin))))
    return (
        f'<li><span class="tn-doc-badge tn-doc-{name}">{fate}</span> '
        f'<strong lang="{document.language}">{escape(one_line(document.title))}</strong>'
        f"{_small(facts, escaped=True)}{_cleaned(document, shown) if name != 'removed' else ''}</li>"
    )


def _cleaned(document: Document, shown: Language) -> str:
    """Format what cleaning removed, collapsed: reason and beginning of each part."""
    if not document.removed:
        return ""
    total = _lines(sum(removal.lines for removal in document.removed), shown)
    items = "".join(
        f"<li>{escape(one_line(removal.reason))} ({_lines(removal.lines, shown)}): "
        f"<code>{escape(one_line(removal.excerpt))}</code></li>"
        for removal in document.removed
    )
    return (
        f"<details><summary>{words.CLEANED[shown].format(lines=total)}</summary>"
        f'<ul class="tn-doc-cleaned">{items}</ul></details>'
    )


def _refusal(refusal: RefusedDocument, shown: Language) -> str:
    return (
        f'<li><span class="tn-doc-badge tn-doc-refused">{words.REFUSED[shown]}</span> '
        f"<strong>{escape(refusal.source)}</strong>: {quote_to_html(refusal.reason)}</li>"
    )


def _lines(count: int, shown: Language) -> str:
    return words.LINE[shown] if count == 1 else words.LINES[shown].format(count=f"{count:,}")


def _small(text: str, *, escaped: bool = False) -> str:
    return f'<span class="tn-doc-facts">{text if escaped else escape(text)}</span>'

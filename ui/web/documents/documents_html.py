"""The documents of an index, and what became of those given, as HTML: all that they hold is shown as text."""

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
    from index.storage.generation import Generation
    from ui.web.components.background_work import WorkStep
    from ui.web.documents.intake import IntakeOutcome, RefusedDocument


#: Characters of the filter of documents that are read; the page sends no more.
LONGEST_FILTER = 200


class Listed(NamedTuple):
    """A document of the index, how many sections it has, and whether it ships with torchnotes."""

    document: Document
    sections: int
    shipped: bool


def listed(generation: Generation, *, shipped_corpus: bool) -> list[Listed]:
    """The documents of an index: those of users first, then by release, the newest first."""
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
    """Return the rows that hold every word of a text, in any of what they show in either language.

    Args:
        rows: documents of an index.
        text: words to look for; any visitor sends it: what lies behind `LONGEST_FILTER` characters is not
            read.
    """
    wanted = set(text[:LONGEST_FILTER].casefold().split())
    texts = ((row, _searched(row)) for row in rows)
    return [row for row, searched in texts if all(word in searched for word in wanted)]


def label(document: Document, shown: Language) -> str:
    """A document in one line of text."""
    return " · ".join((one_line(document.title), *_facts(document, shown), known_as(document.origin)))


def table_to_html(rows: Sequence[Listed], found: Sequence[Listed], shown: Language) -> str:
    """The documents that were found among all, as a table under a line that counts them."""
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
    """How far a change is, in one line."""
    line = (
        words.STEPS[shown].get(step.stage, step.stage).format(done=f"{step.done:,}", total=f"{step.total:,}")
    )
    return safe(f'<p class="tn-doc-step" role="status">{escape(line)}</p>')


def line_to_html(line: str, name: str = "tn-doc-note") -> str:
    """A line of text; what stands between backticks is code."""
    return safe(f'<p class="{name}" role="status">{quote_to_html(line)}</p>')


def outcome_to_html(outcome: IntakeOutcome, shown: Language) -> str:
    """What became of what was given: an entry for each document, and what was cleaned out of it."""
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
    """What is asked before documents are removed."""
    asked = words.CONFIRM[shown].format(count=len(documents))
    names = "".join(f"<li>{escape(label(document, shown))}</li>" for document in documents)
    return safe(f'<div role="alert"><p>{asked}</p><ul class="tn-doc-asked">{names}</ul></div>')


def _row(row: Listed, shown: Language) -> str:
    document = row.document
    title = escape(one_line(document.title))
    name = link(document.url, title) or title
    # Several documents of users may share a title.
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
    """What cleaning took out of a document, folded: by reason, with how each stretch began."""
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

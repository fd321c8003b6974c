"""Formatting of an answer's sources: complete passages with the quotes highlighted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from assistant.answer import Answer, Citation
from assistant.text.messages import STATUS_NAMES
from index.search.passage import Passage
from ingest.document import Language
from ui.shared.labels import KIND_NAMES, LANGUAGE_NAMES, PAIRED, READ_ORIGINAL
from ui.shared.sources import heading_path, shown_quote, source_name
from ui.web.components.links import link
from ui.web.components.markdown_html import anchor
from ui.web.components.passage_html import passage_to_html


def sources_to_html(answer: Answer, scope: str) -> str:
    """Format the cited passages, in the order of their numbers.

    Args:
        answer: the answer.
        scope: unique prefix of the anchors on the page.
    """
    return "".join(_card(group, answer.language, scope) for group in by_passage(answer))


def by_passage(answer: Answer) -> Iterator[tuple[Citation, ...]]:
    """Yield the citations of an answer, consecutive ones of the same passage together.

    Args:
        answer: the answer.
    """
    for _, group in groupby(answer.citations, key=lambda citation: citation.passage.chunk.id):
        yield tuple(group)


def badges(passage: Passage, language: Language) -> str:
    """Format release and status of a passage.

    Args:
        passage: the passage.
        language: language of the text.
    """
    status = STATUS_NAMES[language][passage.status]
    named = f'<span class="tn-badge">{escape(source_name(passage))}</span>'
    return named + (
        f'<span class="tn-badge tn-status tn-{passage.status}">{escape(status)}</span>' if status else ""
    )


def path(passage: Passage) -> str:
    """Format the headings of a passage, or else the title of its document.

    Args:
        passage: the passage.
    """
    return escape(" › ".join(heading_path(passage)) or passage.title)


def _card(citations: Sequence[Citation], language: Language, scope: str) -> str:
    passage = citations[0].passage
    document = passage.document
    facts = [
        document.title,
        KIND_NAMES[language][document.kind],
        LANGUAGE_NAMES[passage.language],
        document.date.isoformat() if document.date else "",
    ]
    numbers = "".join(
        f'<span class="tn-number" id="{anchor(scope, each.number)}">{each.number}</span>'
        for each in citations
    )
    told = escape(" · ".join(filter(None, facts)))
    return (
        f'<article class="tn-card"><div class="tn-meta">{numbers}{badges(passage, language)}'
        f'<span class="tn-path">{path(passage)}</span></div>'
        f'<div class="tn-words" lang="{passage.language}">{_passage(citations)}</div>'
        f"{_paired(citations[0].paired, language)}"
        f'<div class="tn-foot"><span class="tn-facts">{told}</span>'
        f"{link(passage.url, READ_ORIGINAL[language])}</div></article>"
    )


def _passage(citations: Sequence[Citation]) -> str:
    """Format a passage with its quotes highlighted."""
    passage = citations[0].passage
    spans = {each.number: (each.start - passage.start, each.end - passage.start) for each in citations}
    return passage_to_html(passage.text, spans)


def _paired(passage: Passage | None, language: Language) -> str:
    """Format the passage's version in the other language, collapsed."""
    if passage is None:
        return ""
    heading, _, body = passage.text.partition("\n")
    words = f"<p>{escape(shown_quote(heading))}</p>{passage_to_html(body)}"
    return (
        f'<details class="tn-paired"><summary>{PAIRED[language][passage.language]}</summary>'
        f'<div class="tn-words" lang="{passage.language}">{words}</div></details>'
    )

"""Formatting of answers as HTML for the chat, with a button for each cited passage."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assistant.answer import Answer, Citation
from assistant.applicability.marks import mark
from assistant.checks.machine import Machine
from ingest.document import Language
from ui.shared.labels import DECLINED_BADGE, NEAREST_QUOTES, SOURCES, UNPROVED, WRITTEN_BY
from ui.web.chat.here_html import here_to_html
from ui.web.chat.source_html import badges, by_passage, path, sources_to_html
from ui.web.components.markdown_html import markdown_to_html
from ui.web.components.safe import safe


def answer_to_html(answer: Answer, scope: str, machine: Machine | None = None) -> str:
    """Format an answer, complete or in progress.

    Args:
        answer: the answer.
        scope: unique prefix of the anchors on the page; letters, digits, hyphens.
        machine: machine of the reader, to mark which statements apply; None: unknown.
    """
    language = answer.language
    parts = [
        f'<span class="tn-badge tn-declined">{DECLINED_BADGE[language]}</span>' if answer.declines else "",
        *(f'<p class="tn-notice">{escape(notice)}</p>' for notice in answer.notices),
        markdown_to_html(answer.text, [c.number for c in answer.citations], scope, language),
        f'<p class="tn-pending">{escape(answer.pending)}</p>' if answer.pending else "",
        _chosen(answer),
        here_to_html(mark(answer, machine), machine, language) if machine else "",
        _unproved(answer),
    ]
    return safe(f'<div class="tn-answer" lang="{language}">{"".join(parts)}</div>')


def panel_to_html(answer: Answer, scope: str) -> str:
    """Format the sources of an answer for the side panel.

    Args:
        answer: the answer.
        scope: unique prefix of the anchors on the page.
    """
    return safe(sources_to_html(answer, scope))


def _chosen(answer: Answer) -> str:
    """Format a button for each cited passage; for a declined question, for the nearest ones."""
    if not answer.citations:
        return ""
    head = (NEAREST_QUOTES if answer.abstained else SOURCES)[answer.language]
    items = "".join(f"<li>{_button(group, answer.language)}</li>" for group in by_passage(answer))
    return f'<div class="tn-sources"><div class="tn-head">{head}</div><ul>{items}</ul></div>'


def _button(citations: Sequence[Citation], language: Language) -> str:
    passage = citations[0].passage
    first, last = citations[0].number, citations[-1].number
    numbers = str(first) if first == last else f"{first}–{last}"
    return (
        f'<button type="button" class="tn-source" data-source="{first}">'
        f'<span class="tn-number">{numbers}</span>'
        f'{badges(passage, language)}<span class="tn-path">{path(passage)}</span></button>'
    )


def _unproved(answer: Answer) -> str:
    """Format the name of the language model, and what it wrote without proof, collapsed."""
    language = answer.language
    model = (
        f'<p class="tn-model">{WRITTEN_BY[language].format(model=escape(answer.model))}</p>'
        if answer.model
        else ""
    )
    if not answer.unproved:
        return model
    rows = "".join(f"<li>{escape(each.text)} <em>{escape(each.reason)}</em></li>" for each in answer.unproved)
    count = UNPROVED[language].format(count=len(answer.unproved))
    return f'{model}<details class="tn-unproved"><summary>{count}</summary><ul>{rows}</ul></details>'

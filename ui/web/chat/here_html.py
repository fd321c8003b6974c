"""Formatting of which statements of an answer apply to this machine."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assistant.applicability.applicability import LABELS
from assistant.applicability.marks import Mark
from assistant.checks.machine import Machine
from ingest.document import Language
from ui.web.components.safe import safe

_HEAD: dict[Language, str] = {"zh": "在这台机器上", "en": "On this machine"}
_NO_GPU: dict[Language, str] = {"zh": "没有 GPU", "en": "no GPU"}


def here_to_html(marks: Sequence[Mark], machine: Machine, language: Language) -> str:
    """Format the marks of an answer with their reasons.

    Args:
        marks: marks of the answer.
        machine: this machine.
        language: language of the text.

    Returns:
        HTML, "" if there are no marks.
    """
    if not marks:
        return ""
    what = f"torch {machine.torch}, {machine.gpu or _NO_GPU[language]}, Python {machine.python}"
    rows = "".join(f"<li>{_row(mark, language)}</li>" for mark in marks)
    head = f'<div class="tn-head">{_HEAD[language]} <span class="tn-quiet">{escape(what)}</span></div>'
    return safe(f'<div class="tn-here" lang="{language}">{head}<ul>{rows}</ul></div>')


def _row(mark: Mark, language: Language) -> str:
    result = mark.applicability.result
    numbers = "".join(
        f'<button type="button" class="tn-number" data-source="{number}">{number}</button>'
        for number in mark.numbers
    )
    reasons = "; ".join(reason[language] for reason in mark.applicability.reasons)
    label = f'<span class="tn-badge tn-{result}">{escape(LABELS[result][language])}</span>'
    return (
        f'{numbers}{label}<span class="tn-reason" title="{escape(mark.statement)}">{escape(reasons)}</span>'
    )

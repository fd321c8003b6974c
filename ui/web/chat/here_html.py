"""Formatting of which statements of an answer apply to this machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from assistant.applicability.applicability import LABELS, Result
from assistant.applicability.marks import Mark
from assistant.checks.machine import Machine
from ingest.document import Language
from ui.shared.labels import COLON
from ui.web.components.safe import safe

#: What the marks of an answer say together, by result: one statement, several.
_COUNTS: dict[Language, dict[Result, tuple[str, str]]] = {
    "zh": {
        "not-here": ("{count} 条说明不适用于本机",) * 2,
        "applies": ("{count} 条适用",) * 2,
        "measured-elsewhere": ("{count} 条数据来自其他硬件",) * 2,
        "unknown": ("{count} 条无法判断",) * 2,
    },
    "en": {
        "not-here": ("1 statement does not apply here", "{count} statements do not apply here"),
        "applies": ("1 statement applies here", "{count} statements apply here"),
        "measured-elsewhere": ("1 was measured on other hardware", "{count} were measured on other hardware"),
        "unknown": ("1 cannot be told", "{count} cannot be told"),
    },
}
_NO_GPU: dict[Language, str] = {"zh": "没有 GPU", "en": "no GPU"}
_BETWEEN: dict[Language, str] = {"zh": "，", "en": ", "}


def here_to_html(marks: Sequence[Mark], machine: Machine, language: Language) -> str:
    """Format the marks of an answer as one line that opens to show their reasons.

    Args:
        marks: marks of the answer.
        machine: this machine.
        language: language of the text.

    Returns:
        HTML, "" if there are no marks.
    """
    if not marks:
        return ""
    rows = "".join(f"<li>{_row(mark, language)}</li>" for mark in marks)
    told = f"{_summary(marks, language)}{COLON[language]}{_named(machine, language)}"
    summary = f"<summary>{escape(told)}</summary>"
    return safe(f'<details class="tn-here" lang="{language}">{summary}<ul>{rows}</ul></details>')


def _summary(marks: Sequence[Mark], language: Language) -> str:
    counts = Counter(mark.applicability.result for mark in marks)
    parts = [
        (one if counts[result] == 1 else several).format(count=counts[result])
        for result, (one, several) in _COUNTS[language].items()
        if counts[result]
    ]
    return _BETWEEN[language].join(parts)


def _named(machine: Machine, language: Language) -> str:
    """Return what a reader knows the machine by, as far as it is stated."""
    gpu = machine.gpu or (_NO_GPU[language] if machine.torch else "")
    torch = f"torch {machine.torch}" if machine.torch else ""
    python = f"Python {machine.python}" if machine.python else ""
    return _BETWEEN[language].join(filter(None, (torch, gpu, python)))


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

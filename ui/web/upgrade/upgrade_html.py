"""Formatting of an upgrade report as HTML."""

from __future__ import annotations

from html import escape

from assistant.upgrade import words
from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.groups import Group, by_file, possible
from ingest.document import Language
from ui.shared.labels import READ_ORIGINAL
from ui.web.components.links import link
from ui.web.components.safe import safe

#: Styles of the statuses that the kinds resemble.
_STYLES = {
    "breaks": "breaking",
    "default": "breaking",
    "deprecated": "deprecated",
    "platform": "platform",
    "status": "beta",
    "new": "new",
}
_MOST_GROUPS = 200
_MOST_LINES = 12
_MOST_SKIPPED = 10


def report_to_html(report: UpgradeReport, language: Language) -> str:
    """Format a report: files with the most serious findings first, then what is only possible.

    Args:
        report: the report.
        language: language of the text.
    """
    found = words.counts(report, language) or words.NOTHING[language]
    parts = [f"<h2>torch {report.older} → {report.newer}</h2><p><strong>{escape(found)}</strong></p>"]
    left = _MOST_GROUPS
    for file, groups in by_file(report.findings).items():
        if left <= 0:
            break
        items = "".join(_item(group, _lines(group, language), language) for group in groups[:left])
        parts.append(f"<section><h3><code>{escape(file)}</code></h3><ul>{items}</ul></section>")
        left -= len(groups)
    if maybe := possible(report.findings)[: max(left, 0)]:
        items = "".join(_item(group, _places(group), language) for group in maybe)
        parts.append(
            f"<details><summary>{escape(words.POSSIBLE[language])}</summary><ul>{items}</ul></details>"
        )
    parts.append(f"<p><small>{escape(words.searched(report.searched, language))}</small></p>")
    parts += [
        f"<p><small>{words.SKIPPED[language]}: {escape(f'{each.file}: {each.reason}')}</small></p>"
        for each in report.searched.skipped[:_MOST_SKIPPED]
    ]
    return safe(f'<div class="tn-answer tn-upgrade">{"".join(parts)}</div>')


def _item(group: Group, where: str, language: Language) -> str:
    first = group.first
    badge = f'<span class="tn-badge tn-status tn-{_STYLES[first.kind]}">'
    facts = escape(" · ".join(words.facts(first, language)))
    rows = [
        f"<p>{badge}{escape(words.KIND_NAMES[language][first.kind])}</span> "
        f"<code>{escape(first.symbol)}</code> <small>{facts} · {escape(where)}</small></p>",
        f"<pre><code>{escape(first.place.code)}</code></pre>",
        f"<p>{escape(first.quote)} {link(first.url, READ_ORIGINAL[language])}</p>",
    ]
    if instead := words.instead(first, language):
        rows.append(f"<p>{escape(instead)}</p>")
    return f"<li>{''.join(rows)}</li>"


def _lines(group: Group, language: Language) -> str:
    more = ", …" if len(group.lines) > _MOST_LINES else ""
    return words.LINE[language].format(n=f"{', '.join(group.lines[:_MOST_LINES])}{more}")


def _places(group: Group) -> str:
    places = [f"{each.place.file}:{each.place.line}" for each in group.findings]
    return f"{', '.join(places[:_MOST_LINES])}{', …' if len(places) > _MOST_LINES else ''}"

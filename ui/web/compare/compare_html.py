"""Formatting of a comparison as HTML, one table per group."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assistant.release_diff.upgrade import Item, Upgrade
from assistant.text.messages import OF_A_PART, STATUS_NAMES, UPGRADE_GROUPS, UPGRADE_NONE
from ingest.document import Language
from ui.shared.labels import READ_ORIGINAL
from ui.web.components.links import link
from ui.web.components.quote_html import quote_to_html
from ui.web.components.safe import safe

_WHAT: dict[Language, str] = {"zh": "内容", "en": "What"}
_HEAD: dict[Language, str] = {"zh": "从 PyTorch {older} 到 {newer}", "en": "From PyTorch {older} to {newer}"}
_BETWEEN: dict[Language, str] = {
    "zh": "包含这些版本带来的变化：{releases}。",
    "en": "With what each of these releases brings: {releases}.",
}
_SAYS: dict[Language, str] = {"zh": "原文", "en": "What the notes say"}


def upgrade_to_html(upgrade: Upgrade, language: Language) -> str:
    """Format a comparison.

    Args:
        upgrade: the comparison.
        language: language of the text.
    """
    older, newer = str(upgrade.older), str(upgrade.newer)
    releases = escape(", ".join(map(str, upgrade.between)))
    groups = "".join(_group(name, items, upgrade, language) for name, items in upgrade.groups.items())
    return safe(
        f'<div class="tn-answer tn-upgrade"><h2>{_HEAD[language].format(older=older, newer=newer)}</h2>'
        f"<p>{_BETWEEN[language].format(releases=releases)}</p>{groups}</div>"
    )


def _group(name: str, items: Sequence[Item], upgrade: Upgrade, language: Language) -> str:
    title = f"{UPGRADE_GROUPS[language][name]} <small>{len(items)}</small>"
    if not items:
        return f"<section><h3>{title}</h3><p>{UPGRADE_NONE[language]}</p></section>"
    heads = (_WHAT[language], str(upgrade.older), str(upgrade.newer), _SAYS[language])
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    rows = "".join(_row(item, upgrade, language) for item in items)
    label = escape(UPGRADE_GROUPS[language][name])
    return (
        f'<section><h3>{title}</h3><div class="tn-wide" tabindex="0" role="region" aria-label="{label}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _row(item: Item, upgrade: Upgrade, language: Language) -> str:
    names, source = STATUS_NAMES[language], item.told(language)
    status = f'<span class="tn-badge tn-status tn-{item.status}">{escape(names[item.status])}</span>'
    since = "" if item.release == upgrade.newer else f" <small>{item.release}</small>"
    was = names[item.before] if item.before_whole else OF_A_PART[language].format(status=names[item.before])
    before = f'<span class="tn-badge tn-status">{escape(was)}</span>' if item.before else "–"
    quote = quote_to_html(item.quote(language).strip())
    return (
        f'<tr><th scope="row">{escape(item.names[language])}</th><td>{before}</td><td>{status}{since}</td>'
        f'<td lang="{source.document.language}"><div class="tn-words">{quote}</div>'
        f"{link(source.url, READ_ORIGINAL[language])}</td></tr>"
    )

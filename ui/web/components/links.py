"""Links out of the page."""

from __future__ import annotations

from html import escape

from ui.shared.markdown import is_web


def link(url: str, words: str) -> str:
    """A link that opens a tab of its own and tells nothing of this page; "" for an address that is none."""
    if not is_web(url):
        return ""
    href = escape(url)
    return f'<a href="{href}" title="{href}" target="_blank" rel="noopener noreferrer">{words} ↗</a>'

"""External links."""

from __future__ import annotations

from html import escape

from ui.shared.markdown import is_web


def link(url: str, words: str) -> str:
    """Return a link that opens in a new tab and sends no referrer; "" if the address is not http(s).

    Args:
        url: address.
        words: escaped text.
    """
    if not is_web(url):
        return ""
    href = escape(url)
    return f'<a href="{href}" title="{href}" target="_blank" rel="noopener noreferrer">{words} ↗</a>'

"""Sanitising of generated HTML: only elements and attributes that the page uses are kept.

All text is already escaped where the HTML is generated. This is a second line of defence: even a missing
escape cannot introduce a script, an image or a link other than http(s).
"""

from __future__ import annotations

import nh3

from ui.shared.console import printable

_TAGS = set(
    "a abbr article blockquote br button caption code details div em h1 h2 h3 h4 h5 h6 hr li mark ol p pre "
    "section small span strong summary table tbody td th thead tr ul".split()
)
_EVERYWHERE = {"aria-describedby", "aria-label", "class", "hidden", "id", "lang", "role", "tabindex", "title"}
_ATTRIBUTES = {
    "*": _EVERYWHERE,
    "a": {"href", "target", "rel"},
    "button": {"type"},
    "th": {"scope"},
    "ol": {"start"},
}


def safe(html: str) -> str:
    """HTML without anything active, and without characters that turn the order of what is read.

    Args:
        html: HTML of any origin.

    >>> safe('<p onclick="x()">a<script>b</script><a href="javascript:c">d</a></p>')
    '<p>a<a>d</a></p>'
    """
    cleaned = nh3.clean(
        html,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        generic_attribute_prefixes={"data-"},
        url_schemes={"http", "https"},
        link_rel=None,
    )
    return printable(cleaned)  # entities are characters by now

"""Prose in the HTML blocks of a Markdown text."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARK = re.compile(r"<!--|<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?:\s[^<>]*|/)?>")
#: Tags whose content is not prose.
_SILENT = frozenset("pre script style svg table textarea video".split())
#: Tags that interrupt prose; other tags can occur within a sentence.
_BLOCKS = _SILENT | frozenset(
    "blockquote br center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr iframe img li ol p "
    "picture section source summary ul".split()
)


def prose_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of prose in an HTML block, without block tags, comments, code and tables.

    Args:
        text: a Markdown text.
        start: start of the block in the text.
        end: end of the block.
    """
    silent = ""
    position = first = start
    while match := _MARK.search(text, position, end):
        position = match.end()
        name = (match["name"] or "").lower()
        if silent:
            if name == silent and match["close"]:
                silent, first = "", position
        elif name in _BLOCKS or not name:
            yield first, match.start()
            if not name:
                closing = text.find("-->", position, end)
                position = closing + 3 if closing >= 0 else end
            elif name in _SILENT and not match["close"]:
                silent = name
            first = position
    if not silent:
        yield first, end

"""Names, headings and quotes of sources, as shown by all interfaces."""

from __future__ import annotations

import re

from index.search.passage import Passage

_HEADING = re.compile(r"#{1,6}\s+(?P<title>[^\n]+?)(?:\s*\{#[\w-]+\})?")


def source_name(passage: Passage) -> str:
    """Return the release of a passage, or else the title of its document.

    Args:
        passage: the passage.
    """
    return f"PyTorch {passage.version}" if passage.version else passage.title


def heading_path(passage: Passage) -> tuple[str, ...]:
    """Return the headings of a passage, without a first one that only repeats the source's name.

    Args:
        passage: the passage.
    """
    headings = passage.chunk.headings
    return headings[1:] if headings[:1] in ((source_name(passage),), (passage.title,)) else headings


def shown_quote(quote: str) -> str:
    """Return a quote as shown to readers: verbatim, except for the Markdown syntax of headings.

    Args:
        quote: the quote.

    >>> shown_quote("### [Beta] FlexAttention {#flex}")
    '[Beta] FlexAttention'
    """
    match = _HEADING.fullmatch(quote.strip())
    return match["title"] if match else quote.strip("\n")

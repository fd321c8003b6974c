"""What every rendering needs of a source: its name, headings and quotes."""

from __future__ import annotations

import re

from index.search.passage import Passage

_HEADING = re.compile(r"#{1,6}\s+(?P<title>[^\n]+?)(?:\s*\{#[\w-]+\})?")


def source_name(passage: Passage) -> str:
    """The release that a passage speaks of, else the title of its document."""
    return f"PyTorch {passage.version}" if passage.version else passage.title


def heading_path(passage: Passage) -> tuple[str, ...]:
    """The headings above a passage, without a first one that only repeats the source's name."""
    headings = passage.chunk.headings
    return headings[1:] if headings[:1] in ((source_name(passage),), (passage.title,)) else headings


def shown_quote(quote: str) -> str:
    """A quote as readers see it: word for word; of a heading only the marks go.

    >>> shown_quote("### [Beta] FlexAttention {#flex}")
    '[Beta] FlexAttention'
    """
    match = _HEADING.fullmatch(quote.strip())
    return match["title"] if match else quote.strip("\n")

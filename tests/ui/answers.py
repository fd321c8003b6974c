"""Answers made by hand, for what shows them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from assistant.answer import Answer, Citation
from index.search.passage import Passage
from ingest.chunk import Chunk
from ingest.document import Document
from ingest.release import Release


def answer(
    text: str, quotes: Sequence[str] = (), *, url: str = "https://example.org/a?b=1&c=2", title: str = "Notes"
) -> Answer:
    """An answer in English that cites quotes, all from one passage."""
    body = "\n".join(quotes)
    document = Document("d", title, url, Release(2, 4), "blog", "en", date(2024, 7, 24), body, "notes.md")
    chunk = Chunk("c", "d", 0, "", (title, "New <i>things</i>"), "beta", "", 0, len(body), "", ())
    passage = Passage(chunk, document, 0, len(body), 1.0, {}, 0.9, ())
    starts = [sum(len(q) + 1 for q in quotes[:n]) for n in range(len(quotes))]
    citations = tuple(
        Citation(n, passage, start, start + len(quote))
        for n, (start, quote) in enumerate(zip(starts, quotes, strict=True), 1)
    )
    return Answer("q", "q", text, "en", False, citations, (passage,), (Release(2, 4),))

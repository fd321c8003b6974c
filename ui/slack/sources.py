"""The sources of an answer: numbered as its marks, each a link; their quotes, and what is near."""

from __future__ import annotations

from itertools import groupby

from assistant.answer import Answer, Citation
from index.passage import Passage
from ui.render import heading_path, shown_quote, source_name
from ui.slack.mrkdwn import Piece, link, plain
from ui.words import NEAREST_QUOTES, SOURCES

_LONGEST = 1_500  # characters of a quote


def source_lines(answer: Answer) -> list[Piece]:
    """`[1] PyTorch 2.4 › heading` as a link, a line a passage, under their heading."""
    if not answer.citations:
        return []
    head = (NEAREST_QUOTES if answer.abstained else SOURCES)[answer.language]
    groups = groupby(answer.citations, key=lambda citation: citation.passage.chunk.id)
    lines = []
    for _, group in groups:
        cited = tuple(group)
        lines.append(Piece(f"{_numbers(cited)} {place(cited[0].passage)}", tight=True))
    return [Piece(f"*{head}*"), *lines]


def quote_pieces(answer: Answer) -> list[Piece]:
    """Each number with its words, as they stand in the document."""
    parts = []
    for citation in answer.citations:
        parts.append(Piece(f"*[{citation.number}]* {place(citation.passage)}"))
        quote = shown_quote(citation.quote)
        quote = quote if len(quote) <= _LONGEST else f"{quote[: _LONGEST - 1].rstrip()}…"
        lines = (f"> {plain(line)}".rstrip() for line in quote.split("\n"))
        parts.append(Piece("\n".join(lines), tight=True))
    return parts


def nearest_pieces(answer: Answer) -> list[Piece]:
    """The sections that retrieval found, best first, each once."""
    places = dict.fromkeys(place(passage) for passage in answer.passages)
    return [Piece(f"• {each}", tight=number > 0) for number, each in enumerate(places)]


def place(passage: Passage) -> str:
    """Where a passage stands, as a link where it has an address."""
    words = " › ".join((source_name(passage), *heading_path(passage)))
    return link(passage.url, plain(" ".join(words.split())))


def _numbers(cited: tuple[Citation, ...]) -> str:
    return " ".join(f"[{citation.number}]" for citation in cited)

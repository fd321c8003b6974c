"""Formatting of an answer's sources, quotes and nearest sections."""

from __future__ import annotations

from itertools import groupby

from assistant.answer import Answer, Citation
from index.search.passage import Passage
from ui.shared.labels import NEAREST_QUOTES, SOURCES
from ui.shared.sources import heading_path, shown_quote, source_name
from ui.slack.message_limits import shortened
from ui.slack.mrkdwn import Piece, code_text, link, plain

_LONGEST = 1_500  # characters of a quote


def source_lines(answer: Answer) -> list[Piece]:
    """Format the sources as links, `[1] PyTorch 2.4 › heading`, one line per passage.

    Args:
        answer: the answer.
    """
    if not answer.citations:
        return []
    head = (NEAREST_QUOTES if answer.abstained else SOURCES)[answer.language]
    groups = _by_passage(answer)
    lines = [Piece(f"{_numbers(cited)} {place(cited[0].passage)}", tight=True) for cited in groups]
    return [Piece(f"*{head}*"), *lines]


def quote_pieces(answer: Answer) -> list[Piece]:
    """Format the verbatim quotes, grouped by passage.

    Args:
        answer: the answer.
    """
    parts = []
    for cited in _by_passage(answer):
        parts.append(Piece(f"*{_numbers(cited)}* {place(cited[0].passage)}"))
        for citation in cited:
            if len(cited) > 1:
                parts.append(Piece(f"[{citation.number}]", tight=True))
            parts.append(_quote(shortened(shown_quote(citation.quote), _LONGEST)))
    return parts


def nearest_pieces(answer: Answer) -> list[Piece]:
    """Format the retrieved sections, best first; only those in the answer's language, if any.

    Args:
        answer: the answer.
    """
    native = [passage for passage in answer.passages if passage.language == answer.language]
    places = dict.fromkeys(place(passage) for passage in native or answer.passages)
    return [Piece(f"• {each}", tight=number > 0) for number, each in enumerate(places)]


def place(passage: Passage) -> str:
    """Return the name and headings of a passage, as a link if it has an address.

    Args:
        passage: the passage.
    """
    words = " › ".join((source_name(passage), *heading_path(passage)))
    return link(passage.url, plain(" ".join(words.split())))


def _numbers(cited: tuple[Citation, ...]) -> str:
    return " ".join(f"[{citation.number}]" for citation in cited)


def _by_passage(answer: Answer) -> list[tuple[Citation, ...]]:
    groups = groupby(answer.citations, key=lambda citation: citation.passage.chunk.id)
    return [tuple(group) for _, group in groups]


def _quote(quote: str) -> Piece:
    """Format a quote; a code block as a fence."""
    lines = quote.split("\n")
    if lines[0].lstrip().startswith(("```", "~~~")):
        code = [line for line in lines if not line.lstrip().startswith(("```", "~~~"))]
        return Piece(code_text("\n".join(code)), code=True, tight=True)
    return Piece("\n".join(f"> {plain(line)}".rstrip() for line in lines), tight=True)

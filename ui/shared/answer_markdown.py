"""Formatting of answers as Markdown that can be pasted elsewhere."""

from __future__ import annotations

import re

from assistant.answer import Answer, Citation
from ui.shared.labels import NEAREST_QUOTES, SOURCES
from ui.shared.sources import heading_path, source_name

_WEB = re.compile(r"https?://[^\s<>]+")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")


def to_markdown(answer: Answer) -> str:
    """Format an answer with its numbered sources and their quotes.

    Args:
        answer: the answer.
    """
    parts = [answer.text]
    if answer.notices:
        parts.insert(0, "\n>\n".join(f"> {' '.join(notice.split())}" for notice in answer.notices))
    if answer.citations:
        head = (NEAREST_QUOTES if answer.abstained else SOURCES)[answer.language]
        parts.append(f"**{head}**")
        parts += [_source(citation) for citation in answer.citations]
    return "\n\n".join(parts) + "\n"


def _source(citation: Citation) -> str:
    """Format `[1] PyTorch 2.4 › heading, <URL>`, with the verbatim quote below."""
    passage = citation.passage
    place = _SPECIAL.sub(r"\\\1", " › ".join((source_name(passage), *heading_path(passage))))
    address = f" <{passage.url}>" if _WEB.fullmatch(passage.url) else ""
    quote = "\n".join(f"> {line}".rstrip() for line in citation.quote.strip("\n").split("\n"))
    return f"\\[{citation.number}\\] {' '.join(place.split())}{address}\n\n{quote}"

"""Formatting of answers as Markdown that can be pasted elsewhere."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from assistant.answer import Answer, Citation
from ingest.code_spans import outside_code
from ui.shared.labels import NEAREST_QUOTES, SOURCES
from ui.shared.sources import heading_path, source_name

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_WEB = re.compile(r"https?://[^\s<>]+")
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
#: Where HTML or an image begins. As an entity, since a backslash may precede it already.
_ACTIVE = re.compile(r"<(?=[a-z/!?])(?!https?://)|!(?=\[)", re.I)


def to_markdown(answer: Answer) -> str:
    """Format an answer with its numbered sources and their quotes, without HTML and images.

    Args:
        answer: the answer.
    """
    parts = [_harmless(answer.text)]
    if answer.notices:
        parts.insert(0, "\n>\n".join(f"> {_harmless(' '.join(notice.split()))}" for notice in answer.notices))
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
    quote = "\n".join(f"> {line}".rstrip() for line in _harmless(citation.quote).strip("\n").split("\n"))
    return f"\\[{citation.number}\\] {' '.join(place.split())}{address}\n\n{quote}"


def _harmless(text: str) -> str:
    """Return a text of others without HTML and images, of which a viewer would run one and fetch the other.

    Code stays as it is, unless it is none for the parser: two ways of finding code can differ.
    """
    changed = outside_code(text, _escaped)
    blocks = _parser().parse(changed)
    parts = [part.type for block in blocks for part in (block, *(block.children or ()))]
    return _escaped(text) if {"html_block", "html_inline", "image"} & {*parts} else changed


def _escaped(text: str) -> str:
    return _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", text)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")

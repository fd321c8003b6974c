"""Chunks, the unit of indexing and display, and the texts indexed for them.

Separate from the splitter, whose langchain import is slow: reading an index needs only chunks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ingest.document import Document
from ingest.markup import inline_text, reading_text
from ingest.sentence import Sentence
from ingest.status import Status

_LINK_TARGET = re.compile(r"<?https?://[^\s)>\]]+>?")

MAX_TOKENS = 360  # maximum of a chunk's text with its context line
LEAST_TOKENS = 40  # a lower maximum leaves no room for a sentence beside the context line
CONTEXT_TOKENS = 64  # maximum of release and heading path in the context line
PARENT_TOKENS = 48  # maximum of the parent lines of list items in the context line


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a section that is indexed and shown as one.

    Attributes:
        id: hash of the content: stable for the same text, headings and document.
        document_id: id of the document.
        section: number of the section in the document, from 0.
        section_id: the section's own id, "" if it has none.
        headings: heading path, outermost first.
        status: status of the section, "" if it has none.
        url: address of the section, "" if it has none.
        start, end: span of the text as shown, `document.text[start:end]`.
        context: release, heading path, and parent lines of list items outside the span; embedded with the
            text but never quoted.
        sentences: sentences that can be quoted.
    """

    id: str
    document_id: str
    section: int
    section_id: str
    headings: tuple[str, ...]
    status: Status
    url: str
    start: int
    end: int
    context: str
    sentences: tuple[Sentence, ...]


def embedded_text(chunk: Chunk, document: Document) -> str:
    """Return the text of a chunk to embed: context line, then its `reading_text`, without pull requests.

    Args:
        chunk: the chunk.
        document: its document.
    """
    return f"{chunk.context}\n{reading_text(document.text[chunk.start : chunk.end])}"


def lexical_text(chunk: Chunk, document: Document) -> str:
    """Return the text of a chunk to index lexically: context line, then the source without link targets.

    Args:
        chunk: the chunk.
        document: its document.
    """
    return f"{chunk.context}\n{_LINK_TARGET.sub(' ', document.text[chunk.start : chunk.end])}"


def sentence_texts(chunk: Chunk, document: Document) -> Iterable[str]:
    """Yield the text of each sentence to embed: the context line, then the sentence without markup.

    Args:
        chunk: the chunk.
        document: its document.
    """
    for sentence in chunk.sentences:
        yield f"{chunk.context}\n{inline_text(reading_text(document.text[sentence.start : sentence.end]))}"

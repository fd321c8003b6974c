"""Chunks: what is indexed and shown as one, and the texts that the index reads of them.

They stand apart from the splitter, whose langchain import is slow: opening an index needs chunks only.
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

MAX_TOKENS = 360  # cap of a chunk's text with its context line
LEAST_TOKENS = 40  # a lower cap leaves no room for a sentence under its context line
CONTEXT_TOKENS = 64  # cap of the context line's release and heading path
PARENT_TOKENS = 48  # cap of its parent lines of list items


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a section that is indexed and shown as one.

    Attributes:
        id: from its content: the same text in the same place of the same document has the same id.
        document_id: the document it is from.
        section: number of its section in the document, from 0.
        section_id: the section's own id, "" if it has none.
        headings: heading path, outermost first.
        status: of the section.
        url: the section's own URL, or "".
        start, end: span in the document's text: `document.text[start:end]` is the text as shown.
        context: release, heading path, and the parent lines of list items that the text itself does not
            hold: embedded with the text, never quoted.
        sentences: what may be quoted from it.
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
    """What the embedder reads of a chunk: the context line, then the text without link targets."""
    return f"{chunk.context}\n{reading_text(document.text[chunk.start : chunk.end])}"


def lexical_text(chunk: Chunk, document: Document) -> str:
    """What the lexical index reads of a chunk: the context line, then the text with pull-request numbers."""
    return f"{chunk.context}\n{_LINK_TARGET.sub(' ', document.text[chunk.start : chunk.end])}"


def sentence_texts(chunk: Chunk, document: Document) -> Iterable[str]:
    """What the embedder reads of each sentence: the context line, then the sentence without marks."""
    for sentence in chunk.sentences:
        yield f"{chunk.context}\n{inline_text(reading_text(document.text[sentence.start : sentence.end]))}"

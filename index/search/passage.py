"""Search results: passages, with adjacent chunks of a section joined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ingest.chunk import Chunk
from ingest.document import Document, Language
from ingest.release import Release
from ingest.sentence import Sentence
from ingest.status import Status


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """A sentence of a passage that can be quoted.

    Attributes:
        span: position in the document, and kind.
        cosine: similarity to the query, -1 to 1.
        row: row in the sentence vectors of the index.
    """

    span: Sentence
    cosine: float
    row: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk, or adjacent chunks of one section, found for a query.

    Attributes:
        chunk: the chunk that was found; of joined chunks, the better one.
        document: the document that contains it.
        start, end: character span in `document.text`.
        score: fused score, higher is better; comparable within one search only.
        ranks: rank, from 1, in each list that found it.
        cosine: highest cosine of its vectors, -1 to 1.
        sentences: sentences that can be quoted, in document order.
    """

    chunk: Chunk
    document: Document
    start: int
    end: int
    score: float
    ranks: dict[str, int]
    cosine: float
    sentences: tuple[ScoredSentence, ...]

    @property
    def text(self) -> str:
        """The text of the span."""
        return self.document.text[self.start : self.end]

    @property
    def release(self) -> Release | None:
        """Release that the document is about, None if unknown."""
        return self.document.release

    @property
    def version(self) -> str:
        """The release as text, "" if unknown."""
        return self.document.version

    @property
    def language(self) -> Language:
        """Language of the document."""
        return self.document.language

    @property
    def title(self) -> str:
        """Title of the document."""
        return self.document.title

    @property
    def heading(self) -> str:
        """Heading path, outermost first, joined by " > "."""
        return " > ".join(self.chunk.headings)

    @property
    def status(self) -> Status:
        """Status of the section, "" if it has none."""
        return self.chunk.status

    @property
    def url(self) -> str:
        """Address of the section, or else of the document."""
        return self.chunk.url or self.document.url

    @property
    def document_id(self) -> str:
        """Id of the document."""
        return self.document.id

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {
            "id": self.chunk.id,
            "document_id": self.document_id,
            "release": self.version,
            "language": self.language,
            "kind": self.document.kind,
            "status": self.status,
            "title": self.title,
            "heading": self.heading,
            "url": self.url,
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "score": round(self.score, 6),
            "ranks": self.ranks,
        }


def joined(passages: list[Passage]) -> list[Passage]:
    """Join passages that are adjacent in one section; the result takes the place of the better one.

    Args:
        passages: passages, best first.
    """
    out: list[Passage] = []
    for passage in passages:
        place = next((i for i, other in enumerate(out) if _adjoin(other, passage)), None)
        if place is None:
            out.append(passage)
        else:
            out[place] = _join(out[place], passage)
    return out if len(out) == len(passages) else joined(out)  # two that a third one links


def _adjoin(left: Passage, right: Passage) -> bool:
    """Return whether two passages of one section have only white space between them."""
    first, second = (left, right) if left.start <= right.start else (right, left)
    same = left.document.id == right.document.id and left.chunk.section == right.chunk.section
    return same and not first.document.text[first.end : second.start].strip()


def _join(better: Passage, other: Passage) -> Passage:
    """Merge two passages, keeping each sentence once."""
    sentences = sorted((*better.sentences, *other.sentences), key=lambda s: (s.span.start, s.row))
    return replace(
        better,
        start=min(better.start, other.start),
        end=max(better.end, other.end),
        cosine=max(better.cosine, other.cosine),
        sentences=tuple({s.span: s for s in sentences}.values()),
    )

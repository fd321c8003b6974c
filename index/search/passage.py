"""A passage: what retrieval returns, neighbours of one section joined."""

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
    """A quotable sentence of a passage.

    Attributes:
        span: where it stands in the document, and what it is.
        cosine: nearness of its vector to the question's, -1 to 1.
        row: its row among the sentence vectors of the index.
    """

    span: Sentence
    cosine: float
    row: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk, or neighbouring chunks of one section, near a question.

    Attributes:
        chunk: the chunk that was found; the first one where neighbours are joined.
        document: what it is from.
        start, end: span in `document.text`.
        score: fused score, higher is nearer; comparable within one retrieval only.
        ranks: place in each list that found it, from 1.
        cosine: nearness of the best of its vectors, -1 to 1.
        sentences: what may be quoted, in order.
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
        """The passage as it stands in the document."""
        return self.document.text[self.start : self.end]

    @property
    def release(self) -> Release | None:
        """The release that its document speaks of."""
        return self.document.release

    @property
    def version(self) -> str:
        """The release as text, "" when unknown."""
        return self.document.version

    @property
    def language(self) -> Language:
        """Language of its prose."""
        return self.document.language

    @property
    def title(self) -> str:
        """Title of its document."""
        return self.document.title

    @property
    def heading(self) -> str:
        """Heading path, outermost first, joined by " > "."""
        return " > ".join(self.chunk.headings)

    @property
    def status(self) -> Status:
        """Status of its section."""
        return self.chunk.status

    @property
    def url(self) -> str:
        """Where a reader finds the section, or else the document."""
        return self.chunk.url or self.document.url

    @property
    def document_id(self) -> str:
        """The document it is from."""
        return self.document.id

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
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
    """Passages that follow each other in one section made one, in the place of the better."""
    out: list[Passage] = []
    for passage in passages:
        place = next((i for i, other in enumerate(out) if _adjoin(other, passage)), None)
        if place is None:
            out.append(passage)
        else:
            out[place] = _join(out[place], passage)
    return out if len(out) == len(passages) else joined(out)  # two that a third one links


def _adjoin(left: Passage, right: Passage) -> bool:
    """Whether nothing stands between two passages of one section."""
    first, second = (left, right) if left.start <= right.start else (right, left)
    same = left.document.id == right.document.id and left.chunk.section == right.chunk.section
    return same and not first.document.text[first.end : second.start].strip()


def _join(better: Passage, other: Passage) -> Passage:
    """One passage of two; a sentence that both hold is told once."""
    sentences = sorted((*better.sentences, *other.sentences), key=lambda s: (s.span.start, s.row))
    return replace(
        better,
        start=min(better.start, other.start),
        end=max(better.end, other.end),
        cosine=max(better.cosine, other.cosine),
        sentences=tuple({s.span: s for s in sentences}.values()),
    )

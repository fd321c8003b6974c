"""Reading: the first passages are read together with the question, to tell whether they answer it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.reader.reading import PassageReading, Reader, ReadText
from assistant.retrieval.sentences import QUOTABLE, text_of
from index.search.passage import Passage
from ingest.markup import inline_text, reading_text

DEPTH = 5  # passages that are read


@dataclass(frozen=True, slots=True)
class Readings:
    """What the reader found in the first passages of a search; empty where nothing was read.

    Attributes:
        passages: what it found in each passage.
        chunks: ids of the passages, in the same order.
    """

    passages: Sequence[PassageReading] = ()
    chunks: Sequence[str] = ()

    def reading(self, passage: Passage) -> PassageReading | None:
        """Return what the reader found in a passage, or None if it was not read.

        Args:
            passage: found for the question.
        """
        pairs = zip(self.chunks, self.passages, strict=True)
        return next((reading for chunk, reading in pairs if chunk == passage.chunk.id), None)

    @classmethod
    def of(cls, reader: Reader, question: str, passages: Sequence[Passage]) -> Readings:
        """Read a question with the first of some passages.

        Args:
            reader: reads them.
            question: understood by itself.
            passages: best first.
        """
        few = passages[:DEPTH]
        found = reader.read(question, [read_text(passage) for passage in few]) if few else ()
        return cls(found, [passage.chunk.id for passage in few[: len(found)]])


NOTHING_READ = Readings()


def read_text(passage: Passage) -> ReadText:
    """Return a passage as a reader reads it.

    Args:
        passage: found for a question.
    """
    sentences = [sentence for sentence in passage.sentences if sentence.span.kind in QUOTABLE]
    texts = [inline_text(reading_text(text_of(passage, sentence))) for sentence in sentences]
    return ReadText(passage.chunk.context, texts, [sentence.cosine for sentence in sentences])

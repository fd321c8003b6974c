"""A builder that takes chunks and terms from what workers have read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from index.bulk.messages import DocumentReading
from index.storage.builder import IndexBuilder
from ingest.chunk import Chunk
from ingest.document import Document


class PreparedBuilder(IndexBuilder):
    """Builds like another builder, and splits only what was not split on a worker.

    Args:
        builder: the other builder.
        find: returns what a worker has read of a document; None: nothing.
    """

    def __init__(self, builder: IndexBuilder, find: Callable[[Document], DocumentReading | None]) -> None:
        super().__init__(builder.splitter, builder.segmenter, builder.embedder)
        self._find = find
        self._last: tuple[str, dict[str, list[str]]] = ("", {})  # chunks come document by document
        self._documents: dict[str, Document] = {}
        self._words: dict[str, str] = {}  # a term is in memory once: an index has some hundred a chunk

    def split(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks of a document, those that a worker made where there are any.

        Args:
            document: to split.
        """
        reading = self._find(document)
        if reading is None or reading.chunks is None:
            return super().split(document)
        self._documents[document.id] = document
        return reading.chunks

    def terms(self, chunk: Chunk, text: str) -> list[str]:
        """Return the terms of a chunk, those that a worker made where there are any.

        Args:
            chunk: of a document that was split.
            text: of the chunk.
        """
        if chunk.document_id != self._last[0]:
            self._last = (chunk.document_id, self._terms_by_chunk(chunk.document_id))
        terms = self._last[1].get(chunk.id)
        return super().terms(chunk, text) if terms is None else terms

    def _terms_by_chunk(self, document_id: str) -> dict[str, list[str]]:
        document = self._documents.get(document_id)
        reading = self._find(document) if document else None
        if reading is None or reading.chunks is None:
            return {}
        once = self._words.setdefault
        return {
            chunk.id: [once(term, term) for term in terms]
            for chunk, terms in zip(reading.chunks, reading.terms, strict=True)
        }

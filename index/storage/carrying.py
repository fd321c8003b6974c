"""Reuse of rows and vectors of the previous generation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from index.embedding.base import Vectors
from index.storage.generation import Generation
from ingest.chunk import Chunk, embedded_text, sentence_texts

Ints = NDArray[np.int64]


def kept_sentences(previous: Generation, chunks: Sequence[Chunk], kept: Ints) -> Ints:
    """Return each sentence's row in the previous generation, or -1; shape (sentences,).

    Args:
        previous: the previous generation.
        chunks: chunks of the new generation.
        kept: row of each chunk in the previous generation, or -1, shape (chunks,).
    """
    counts = np.array([len(chunk.sentences) for chunk in chunks], np.int64)
    old_starts = np.searchsorted(previous.sentence_owner, kept)
    shifts = old_starts - np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(counts) else old_starts
    rows = np.arange(counts.sum(), dtype=np.int64) + np.repeat(shifts, counts)
    rows[np.repeat(kept < 0, counts)] = -1
    return np.asarray(rows)


def stocked_vectors(previous: Generation, kept: Ints) -> tuple[dict[str, int], Vectors]:
    """Collect the vectors of the chunks that are not kept, and of their sentences.

    An edited or moved document still contains most of its texts.

    Args:
        previous: the previous generation.
        kept: row of each new chunk in the previous generation, or -1, shape (chunks,).

    Returns:
        The row of each text, and the vectors, shape (texts, dimension).
    """
    gone = np.ones(len(previous.chunks), np.bool_)
    gone[kept[kept >= 0]] = False
    chunk_rows = np.flatnonzero(gone)
    sentence_rows = np.flatnonzero(gone[previous.sentence_owner])
    vectors = [previous.chunk_vectors.rows(chunk_rows), previous.sentence_vectors.rows(sentence_rows)]
    chunks = [previous.chunks[row] for row in chunk_rows.tolist()]
    texts = [*_bodies(previous, chunks), *_sentences(previous, chunks)]
    return {text: row for row, text in enumerate(texts)}, np.concatenate(vectors)


def _bodies(generation: Generation, chunks: Iterable[Chunk]) -> Iterable[str]:
    return (embedded_text(chunk, generation.documents[chunk.document_id]) for chunk in chunks)


def _sentences(generation: Generation, chunks: Iterable[Chunk]) -> Iterable[str]:
    return (
        text for chunk in chunks for text in sentence_texts(chunk, generation.documents[chunk.document_id])
    )

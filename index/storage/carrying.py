"""What an update carries over: the rows of chunks that stay, and the vectors of texts that do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from index.embedding.base import Vectors
from index.storage.generation import Generation
from ingest.chunk import Chunk, embedded_text, sentence_texts

Ints = NDArray[np.int64]


def kept_sentences(previous: Generation, chunks: Sequence[Chunk], kept: Ints) -> Ints:
    """For each sentence of the chunks to be, its row in the generation before, or -1; (sentences,).

    Args:
        previous: the generation before.
        chunks: the chunks to be.
        kept: for each of them its row in the generation before, or -1.
    """
    counts = np.array([len(chunk.sentences) for chunk in chunks], np.int64)
    old_starts = np.searchsorted(previous.sentence_owner, kept)
    shifts = old_starts - np.concatenate([[0], np.cumsum(counts)[:-1]]) if len(counts) else old_starts
    rows = np.arange(counts.sum(), dtype=np.int64) + np.repeat(shifts, counts)
    rows[np.repeat(kept < 0, counts)] = -1
    return np.asarray(rows)


def stocked_vectors(previous: Generation, kept: Ints) -> tuple[dict[str, int], Vectors]:
    """The vectors of chunks that do not stay, and of their sentences.

    A document that was edited or has moved has most of its texts still.

    Returns:
        The row of each text, and the vectors, (texts, dimension).
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

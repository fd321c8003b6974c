"""An embedder that embeds each text once."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from index.embedding.base import Embedder, Progress, Vectors
from index.embedding.vector_cache import VectorCache, vector_key
from ingest.unwritable import FULL, unwritable

_log = logging.getLogger(__name__)

# Texts between two writes to disk: what a killed run loses at most.
BLOCK = 256


class CachedEmbedder(Embedder):
    """An embedder behind a cache: only documents that the cache does not hold are embedded.

    Questions go through as they are.

    Attributes:
        embedded_count: documents embedded since it was made.
    """

    def __init__(self, embedder: Embedder, cache: VectorCache) -> None:
        self.embedder = embedder
        self.cache = cache
        self.embedded_count = 0

    @property
    def name(self) -> str:
        """The embedder's own: a cache changes no vector."""
        return self.embedder.name

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self.embedder.dimension

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that are read."""
        return self.embedder.max_tokens

    def encode_query(self, text: str) -> Vectors:
        """Embed one question.

        Args:
            text: the question.
        """
        return self.embedder.encode_query(text)

    def count_tokens(self, text: str) -> int:
        """Tokens of a text.

        Args:
            text: the text.
        """
        return self.embedder.count_tokens(text)

    def encode_passing(self, texts: Sequence[str]) -> Vectors:
        """Embed past the cache.

        Args:
            texts: the texts.
        """
        return self.embedder.encode_passing(texts)

    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Embed the texts that the cache lacks, each once; a run cut short keeps what it wrote.

        Args:
            texts: the texts.
            progress: called with how many texts are done.
        """
        keys = [vector_key(self.name, text) for text in texts]
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        missing: dict[bytes, list[int]] = {}
        for index, (key, vector) in enumerate(zip(keys, self.cache.get(keys), strict=True)):
            if vector is None:
                missing.setdefault(key, []).append(index)
            else:
                vectors[index] = vector
        done = len(texts) - sum(map(len, missing.values()))
        if progress and done:
            progress(done)
        # Like lengths together: the embedder pads within a block only.
        order = sorted(missing, key=lambda key: len(texts[missing[key][0]]), reverse=True)
        for start in range(0, len(order), BLOCK):
            block = order[start : start + BLOCK]
            fresh = self.embedder.encode_documents([texts[missing[key][0]] for key in block])
            self._keep(block, fresh, more=start + BLOCK < len(order))
            self.embedded_count += len(block)
            for key, vector in zip(block, fresh, strict=True):
                vectors[missing[key]] = vector
                done += len(missing[key])
            if progress:
                progress(done)
        return vectors

    def _keep(self, keys: Sequence[bytes], vectors: Vectors, *, more: bool) -> None:
        """Put vectors into the cache; go on without where that cannot be written.

        Raises:
            TorchnotesError: the disk is full and more is to be embedded, all of which would be lost when the
                index, which lies beside the cache, cannot be written either.
        """
        try:
            self.cache.put(keys, vectors)
        except OSError as error:
            refused = unwritable(f"vectors {self.cache.folder}", self.cache.folder, error)
            if more and error.errno in FULL:
                raise refused from error
            _log.warning("what was embedded is not kept for the next time: %s", refused)

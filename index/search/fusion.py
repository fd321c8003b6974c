"""Fusion: several rankings of the same rows made one.

Weighted reciprocal rank (Cormack, Clarke & Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet").
Only rows that stand in a ranking are touched: a large index takes no longer than a small one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Scores = NDArray[np.float32]


@dataclass
class Fusion:
    """Rankings of rows, added one by one.

    Attributes:
        rank_constant: the higher, the less the first places count above the others.
        rankings: name, rows without repetition, best first, and what the ranking counts.
        cosines: the best cosine of each row that was found by a vector.
    """

    rank_constant: float
    rankings: list[tuple[str, Ints, float]] = field(default_factory=list)
    cosines: dict[int, float] = field(default_factory=dict)

    def add(self, name: str, rows: Ints, weight: float) -> None:
        """Add a ranking; those of one name are of different rows."""
        self.rankings.append((name, rows, weight))

    def add_owned(self, name: str, owners: Ints, cosines: Scores, weight: float) -> None:
        """Add a ranking of vectors by the rows that own them, best first; the best of a row counts."""
        found: dict[int, None] = {}
        for row, cosine in zip(owners.tolist(), cosines.tolist(), strict=True):
            found.setdefault(row)
            self.cosines[row] = max(cosine, self.cosines.get(row, -1.0))
        self.add(name, np.fromiter(found, np.int64, len(found)), weight)

    def fused(self, factor: Callable[[Ints], Scores] | None = None) -> tuple[Ints, Scores]:
        """Rows that count anything, best first, of equal ones the first, and their scores.

        Args:
            factor: gives what the score of each of some rows is multiplied by.
        """
        rows = np.unique(np.concatenate([np.empty(0, np.int64), *(rows for _, rows, _ in self.rankings)]))
        scores = np.zeros(len(rows), np.float32)
        for _, ranked, weight in self.rankings:
            ranks = self.rank_constant + np.arange(1, len(ranked) + 1)
            scores[np.searchsorted(rows, ranked)] += (weight / ranks).astype(np.float32)
        if factor is not None:
            scores *= factor(rows)
        order = np.argsort(-scores, kind="stable")
        order = order[scores[order] > 0]
        return rows[order], scores[order]

    def ranks(self, row: int) -> dict[str, int]:
        """The place of a row in each ranking that has it, from 1."""
        places = {}
        for name, rows, _ in self.rankings:
            (found,) = (rows == row).nonzero()
            if len(found) and name not in places:
                places[name] = int(found[0]) + 1
        return places

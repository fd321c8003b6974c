"""Fusion of several rankings by weighted reciprocal rank.

See Cormack, Clarke & Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet". Only rows that are in a
ranking are touched, so the time does not depend on the size of the index.
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
    """Collects rankings of rows and combines them.

    Attributes:
        rank_constant: added to every rank; the higher it is, the less the first ranks stand out.
        rankings: name, rows without repetition, best first, and weight of each ranking.
        cosines: highest cosine of each row that a vector search found.
    """

    rank_constant: float
    rankings: list[tuple[str, Ints, float]] = field(default_factory=list)
    cosines: dict[int, float] = field(default_factory=dict)

    def add(self, name: str, rows: Ints, weight: float) -> None:
        """Add a ranking.

        Args:
            name: name of the list; rankings of the same name must not share rows.
            rows: row numbers without repetition, best first.
            weight: weight in the fused score.
        """
        self.rankings.append((name, rows, weight))

    def add_owned(self, name: str, owners: Ints, cosines: Scores, weight: float) -> None:
        """Add a ranking of vectors, reduced to the rows that own them; the best vector of a row counts.

        Args:
            name: name of the list.
            owners: row that owns each vector, best vector first.
            cosines: cosine of each vector.
            weight: weight in the fused score.
        """
        found: dict[int, None] = {}
        for row, cosine in zip(owners.tolist(), cosines.tolist(), strict=True):
            found.setdefault(row)
            self.cosines[row] = max(cosine, self.cosines.get(row, -1.0))
        self.add(name, np.fromiter(found, np.int64, len(found)), weight)

    def fused(self, factor: Callable[[Ints], Scores] | None = None) -> tuple[Ints, Scores]:
        """Combine the rankings.

        Args:
            factor: returns a multiplier of the score for each of the given rows; None: no multiplier.

        Returns:
            Rows with a score above 0, best first, equal ones by row, and their scores.
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
        """Return the rank of a row, from 1, in each list that contains it.

        Args:
            row: row number.
        """
        places = {}
        for name, rows, _ in self.rankings:
            (found,) = (rows == row).nonzero()
            if len(found) and name not in places:
                places[name] = int(found[0]) + 1
        return places

"""A trained linear model over vectors of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from index.embedding.base import Vectors


@dataclass(frozen=True, slots=True)
class LinearClassifier:
    """A logistic regression.

    Attributes:
        embedder: name of the embedding model whose vectors it reads.
        weights: of the numbers of a vector, (dimension,).
        bias: log odds of the vector zero.
    """

    embedder: str
    weights: Sequence[float]
    bias: float

    def odds(self, vector: Vectors) -> float:
        """Return the log odds of a question.

        Args:
            vector: of the question, (dimension,).
        """
        return float(vector @ np.asarray(self.weights, np.float32)) + self.bias

"""The gate: whether what was found can answer the question, decided before a word is written.

A logistic regression over what assistant/retrieval/gate_features.py measures. Its weights are trained on
the training data and on our own questions (`make gate`) and kept in gate.json.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_FAR = 700.0  # log odds below which a probability is 0; exp overflows soon after
MODEL = Path(__file__).with_name("gate.json")


@dataclass(frozen=True, slots=True)
class Gate:
    """A trained logistic regression.

    Attributes:
        features: their names, in the order of the numbers.
        mean, scale: of each feature over the training questions.
        weights, bias: of the regression.
        threshold: a question with a lower probability is declined.
    """

    features: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    threshold: float

    def probability(self, features: Mapping[str, float]) -> float:
        """Probability that the notes answer, 0 to 1.

        Args:
            features: features of the question, by name.
        """
        rows = zip(self.features, self.mean, self.scale, self.weights, strict=True)
        score = self.bias + sum(w * (features[name] - mean) / scale for name, mean, scale, w in rows)
        return 1 / (1 + math.exp(-score)) if score > -_FAR else 0.0

    def opens(self, features: Mapping[str, float]) -> bool:
        """Whether to answer.

        Args:
            features: features of the question, by name.
        """
        return self.probability(features) >= self.threshold


@lru_cache(maxsize=1)
def load_gate(path: Path = MODEL) -> Gate:
    """The trained gate.

    Args:
        path: JSON file of the gate.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    rows = data["features"]
    return Gate(
        features=tuple(row["name"] for row in rows),
        mean=tuple(row["mean"] for row in rows),
        scale=tuple(row["scale"] for row in rows),
        weights=tuple(row["weight"] for row in rows),
        bias=data["bias"],
        threshold=data["threshold"],
    )

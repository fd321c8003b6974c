"""Whether a release in a question is what the user runs, while the notes of another release answer.

"My 2.6 does this: is it fixed?" is answered by the notes of a later release; "what is new in 2.6?" by those
of 2.6. A logistic regression on the question's vector tells them apart. It is trained on questions that name
a release (`make gate`), for the embedding model that ships.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from pathlib import Path

from assistant.retrieval.linear_classifier import LinearClassifier
from index.embedding.base import Vectors

MODEL = Path(__file__).with_name("release_context.json")
#: Probability from which on the other releases count as much as those named, and a release that is silent
#: on a name is no reason to decline where another tells of it.
LIKELY = 0.25


class ReleaseContext(LinearClassifier):
    """Tells a release that the user runs from one that the question is about."""

    def elsewhere(self, vector: Vectors) -> float:
        """Return the probability that another release than those named answers, 0 to 1.

        Args:
            vector: of a question that names a release, (dimension,).
        """
        return 1 / (1 + math.exp(-self.odds(vector)))


def weight_elsewhere(probability: float, least: float) -> float:
    """Return how much the rankings of other releases than those named count, `least` to 1.

    Args:
        probability: that another release answers.
        least: weight where it is 0.
    """
    return least + (1 - least) * min(1.0, probability / LIKELY)


@lru_cache(maxsize=1)
def load_release_context(embedder: str) -> ReleaseContext | None:
    """Return the trained model, or None if it was trained on the vectors of another embedding model.

    Args:
        embedder: name of the embedding model.
    """
    data = json.loads(MODEL.read_text(encoding="utf-8"))
    trained = ReleaseContext(data["embedder"], tuple(data["weights"]), data["bias"])
    return trained if trained.embedder == embedder else None

"""Whether a question is about PyTorch at all, read from its vector.

A logistic regression that is trained on questions of the training data, other libraries, chatter and everyday
questions among them (`make gate`), for the embedding model that ships. With another model nothing is known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.retrieval.linear_classifier import LinearClassifier
from index.embedding.base import Vectors

MODEL = Path(__file__).with_name("subject.json")
_MOST = 6.0  # log odds beyond which a question is no more certain


@dataclass(frozen=True, slots=True)
class SubjectClassifier(LinearClassifier):
    """Tells questions about PyTorch from others.

    Attributes:
        away: log odds below which a follow-up is about something else than the notes.
    """

    away: float

    def log_odds(self, vector: Vectors) -> float:
        """Return the log odds that a question is about PyTorch, -6 to 6.

        Args:
            vector: of the question, (dimension,).
        """
        return clipped(self.odds(vector))


def clipped(log_odds: float) -> float:
    """Return log odds, no more certain than a linear model can be.

    Args:
        log_odds: log odds of a linear model.
    """
    return min(max(log_odds, -_MOST), _MOST)


@lru_cache(maxsize=1)
def load_subject(path: Path = MODEL) -> SubjectClassifier:
    """Read the trained classifier.

    Args:
        path: of its JSON file.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    return SubjectClassifier(data["embedder"], tuple(data["weights"]), data["bias"], data["away"])

"""The learned part of the proof: whether evidence supports a statement that no requirement refuses.

A logistic regression on a few features, fitted on statements of the training data that are held out from the
reader (`make proof`, decision.json). There are two: one with what the reader says, and one for where it says
nothing, because it is left out, cannot be loaded, or was not trained on this kind of document.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal

DECISION = Path(__file__).with_name("decision.json")

DecisionKind = Literal["read", "unread"]
#: What each decides from: log odds of the reader, cosine of the nearest sentence, share of names lacking, and
#: closeness, the cosine with a weight of the words shared.
FEATURES: dict[DecisionKind, tuple[str, ...]] = {
    "read": ("verdict", "cosine", "words_lacking"),
    "unread": ("closeness", "words_lacking"),
}


def log_odds(
    features: Mapping[str, float], decision: Mapping[DecisionKind, Mapping[str, float]] | None = None
) -> float:
    """Return the log odds that a statement is supported, 0 where the threshold is.

    Args:
        features: by the names of `FEATURES`; those without `verdict` were not read.
        decision: bias and weights of both regressions; None takes what ships.
    """
    kind: DecisionKind = "read" if "verdict" in features else "unread"
    model = (decision or load_decision())[kind]
    return model["bias"] + sum(model[name] * features[name] for name in FEATURES[kind])


@lru_cache(maxsize=1)
def load_decision(path: Path = DECISION) -> dict[DecisionKind, dict[str, float]]:
    """Return bias and weights of both regressions, by the names of their features.

    Args:
        path: of the JSON file.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    return {kind: data[kind] for kind in FEATURES}

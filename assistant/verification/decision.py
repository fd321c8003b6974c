"""The learned part of the proof: whether evidence supports a statement, or contradicts it.

Logistic regressions on a few features, fitted on statements of the training data that are held out from
the reader (`make proof`, decision.json). `proved` and `contradicted` decide by what the reader says. Where it
says nothing, because it is left out, cannot be loaded, or was not trained on this kind of document,
`proved_unread` decides, and exact checks alone contradict.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal

DECISION = Path(__file__).with_name("decision.json")

DecisionKind = Literal["proved", "proved_unread", "contradicted"]
#: What each decides from: the reader's three log odds, cosine of the nearest sentence, share of names
#: lacking, whether a quote negates a word or has its antonym, and closeness, the cosine with a weight of the
#: words shared.
FEATURES: dict[DecisionKind, tuple[str, ...]] = {
    "proved": ("supported", "contradicted", "unsaid", "cosine", "words_lacking", "opposed"),
    "proved_unread": ("closeness", "words_lacking", "opposed"),
    "contradicted": ("supported", "contradicted", "opposed"),
}


def log_odds(
    kind: DecisionKind,
    features: Mapping[str, float],
    decision: Mapping[DecisionKind, Mapping[str, float]] | None = None,
) -> float:
    """Return the log odds of a decision, 0 where its threshold is.

    Args:
        kind: of the decision.
        features: by the names of `FEATURES`.
        decision: bias and weights of the regressions; None takes what ships.
    """
    model = (decision or load_decision())[kind]
    return model["bias"] + sum(model[name] * features[name] for name in FEATURES[kind])


@lru_cache(maxsize=1)
def load_decision(path: Path = DECISION) -> dict[DecisionKind, dict[str, float]]:
    """Return bias and weights of the regressions, by the names of their features.

    Args:
        path: of the JSON file.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    return {kind: data[kind] for kind in FEATURES}

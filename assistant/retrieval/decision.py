"""The decision to answer: the gate, corrected by what the reader and the known questions say.

A logistic regression for each set of signals that there may be (`make fusion`, decision.json) gives a new
probability, on the scale of the gate.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from assistant.retrieval.known_questions import NONE_NEAR, NearQuestions
from assistant.retrieval.reading import Readings

MODEL = Path(__file__).with_name("decision.json")
_FAR = 700.0  # log odds below which a probability is 0; exp overflows soon after
NOT_READ = -5.0  # log odds where there is no passage
#: Signals of the gate, of the reader, and of the known questions.
GATE, READER, KNOWN = ("gate",), ("best", "second", "first"), ("nearest", "unanswered")


def decided(before: float, threshold: float, near: NearQuestions, readings: Readings) -> float:
    """Return the probability that the notes answer, on the scale of the gate.

    Args:
        before: that of the gate, 0 to 1.
        threshold: of the gate.
        near: known questions that are like the question.
        readings: of the first passages.
    """
    if not (0 < before < 1 and 0 < threshold < 1):
        return before
    values = signals(before, near, readings)
    weights = load_decisions().get(frozenset(values))
    if weights is None:  # nothing but the gate says anything
        return before
    odds = weights["bias"] + sum(weights[name] * value for name, value in values.items())
    odds += math.log(threshold / (1 - threshold))
    return 1 / (1 + math.exp(-odds)) if odds > -_FAR else 0.0


def signals(before: float, near: NearQuestions, readings: Readings) -> dict[str, float]:
    """Return what decides whether to answer, by name.

    The log odds of the gate; those of the reader for the passages that it takes for the best and the second
    best, and for the first in their order; how near known questions that the notes answer, and that they do
    not, are. What nothing is known of is left out.

    Args:
        before: probability that the gate gives, between 0 and 1.
        near: known questions that are like the question.
        readings: of the first passages.
    """
    values = [math.log(before / (1 - before))]
    names: Sequence[str] = GATE
    if readings.passages:
        odds = [reading.answers for reading in readings.passages]
        best, *others = sorted(odds, reverse=True)
        values += [best, others[0] if others else NOT_READ, odds[0]]
        names = (*names, *READER)
    if near is not NONE_NEAR:
        values += [max(near.sections.values(), default=0.0), near.unanswered]
        names = (*names, *KNOWN)
    return dict(zip(names, values, strict=True))


@lru_cache(maxsize=1)
def load_decisions(path: Path = MODEL) -> Mapping[frozenset[str], Mapping[str, float]]:
    """Return bias and weights for each set of signals; where they sum up to zero the gate's threshold is.

    Args:
        path: of the JSON file.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    return {frozenset(weights) - {"bias"}: weights for weights in data["weights"]}

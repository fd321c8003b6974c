"""Verdicts on yes/no questions: whether the sentence that decides says yes or no.

The reader that ships says of a question beside a passage whether it answers yes, no, or neither. Two
logistic regressions (`make verdicts`, verdict.json) on that and on negations decide, each with the threshold
above which enough of its verdicts were right on questions that no training saw. One that never reaches it
says nothing.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

from assistant.query.question import Question
from assistant.query.yes_no import is_yes_no
from assistant.retrieval.pick import Lead, Pick
from assistant.retrieval.reading import Readings
from assistant.retrieval.sentences import text_of
from assistant.text.messages import (
    STATUS_NAMES,
    VERDICT_LEAD,
    VERDICT_LEAD_UNDATED,
    VERDICTS,
    VERDICTS_BY_VERB,
)
from assistant.verification.negation import negated
from ingest.markup import reading_text
from ingest.status import MATURITIES

MODEL = Path(__file__).with_name("verdict.json")
FEATURES = ("margin", "unsaid", "answers", "negated", "negation_differs")
Polarity = Literal["yes", "no"]
POLARITIES: tuple[Polarity, Polarity] = ("yes", "no")


def with_verdict(question: Question, picks: Sequence[Pick], readings: Readings) -> list[Pick]:
    """Let an answer to a yes/no question begin with the verdict, if the reader is sure enough.

    Args:
        question: parsed question.
        picks: of the answer; the sentence that decides comes first.
        readings: of the first passages.
    """
    features = measured(question, picks, readings)
    verdict = decided(features) if features else None
    return opened(question, picks, verdict) if verdict else list(picks)


def measured(question: Question, picks: Sequence[Pick], readings: Readings) -> dict[str, float] | None:
    """Return what a verdict is decided from, or None if the question has none or nothing was read.

    Args:
        question: parsed question.
        picks: of the answer; the sentence that decides comes first.
        readings: of the first passages.
    """
    reading = readings.reading(picks[0].passage) if picks and is_yes_no(question.clean) else None
    if reading is None or math.isinf(reading.verdict.unsaid):
        return None
    said = reading_text(text_of(picks[0].passage, picks[0].sentences[0]))
    asks, tells = bool(negated(question.clean)), bool(negated(said))
    values = (
        reading.verdict.supported - reading.verdict.contradicted,
        reading.verdict.unsaid,
        reading.answers,
        float(tells),
        float(asks != tells),
    )
    return dict(zip(FEATURES, values, strict=True))


def decided(features: Mapping[str, float]) -> Polarity | None:
    """Return the verdict, or None if neither is sure enough.

    Args:
        features: that `measured` returns.
    """
    odds = {
        polarity: weights["bias"] + sum(weights[name] * value for name, value in features.items())
        for polarity, weights in load_verdicts().items()
    }
    best = max(odds, key=lambda polarity: odds[polarity], default=None)
    return best if best and odds[best] >= 0 else None


def opened(question: Question, picks: Sequence[Pick], verdict: Polarity) -> list[Pick]:
    """Put a verdict before the first sentence of an answer.

    Args:
        question: parsed question.
        picks: of the answer.
        verdict: that the first sentence proves.
    """
    first, *others = picks
    passage, language = first.passage, question.language
    status = STATUS_NAMES[language][passage.status] if passage.status in MATURITIES else ""
    where = ("，" if language == "zh" else ", ").join(filter(None, (f"PyTorch {passage.version}", status)))
    pattern = VERDICT_LEAD if passage.version else VERDICT_LEAD_UNDATED
    words = pattern[language].format(verdict=verdict_word(question, verdict), where=where)
    return [replace(first, lead=Lead(words, first.sentences[0])), *others]


def verdict_word(question: Question, verdict: Polarity) -> str:
    """Return how a verdict is said: in Chinese with the verb of the question, unless that is negated.

    Args:
        question: parsed question.
        verdict: to say.
    """
    place = POLARITIES.index(verdict)
    if question.language == "zh" and not negated(question.clean):
        for pattern, *words in VERDICTS_BY_VERB:
            if re.search(pattern, question.clean):
                return words[place]
    return VERDICTS[question.language][place]


@lru_cache(maxsize=1)
def load_verdicts(path: Path = MODEL) -> Mapping[Polarity, Mapping[str, float]]:
    """Return bias and weights of the log odds of each verdict that is ever sure enough, from 0 up.

    Args:
        path: of the JSON file.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    return {polarity: data[polarity] for polarity in POLARITIES if data[polarity]}

"""How likely an answer needs a sentence: by its order, the reader and the known questions together.

The order of sentences (assistant/retrieval/sentences.py) says which of two answers better. Whether the second
is needed at all takes an absolute measure: a logistic regression on that order, on what the reader says of
sentence and passage, and on the known questions that a sentence answers, trained by `make selection` on the
sentences that the writers of questions named.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.reader.reading import PassageReading
from assistant.retrieval.known_questions import NONE_NEAR, NearQuestions, section_name, sentence_key
from assistant.retrieval.reading import Readings
from assistant.retrieval.sentences import QUOTABLE, Quote, text_of
from assistant.text.advice import advises
from assistant.text.markdown import shown_length
from index.search.passage import Passage

MODEL = Path(__file__).with_name("usefulness.json")
_UNREAD = -4.0  # log odds of what had no room, or was not read
_CHANGES = ("breaking", "deprecated")  # statuses of sections
_OF_QUOTES = ("asked", "pointer", "summary", "first_passage")  # features that count here as well


def useful(
    quotes: Sequence[Quote], passages: Sequence[Passage], near: NearQuestions, readings: Readings
) -> list[Quote] | None:
    """Return quotes scored by the log odds that they are among those that answer, or None if that is unknown.

    It is known where passages were read, and the known questions are those of the index.

    Args:
        quotes: scored sentences of the first passages.
        passages: that they are of.
        near: known questions that are like the question.
        readings: of the first passages.
    """
    if not (quotes and readings.passages and near is not NONE_NEAR):
        return None
    model = _load()
    rows = measured(quotes, passages, near, readings)
    odds = [model.bias + sum(weight * row[name] for name, weight in model.weights.items()) for row in rows]
    return [quote._replace(score=value) for quote, value in zip(quotes, odds, strict=True)]


def measured(
    quotes: Sequence[Quote], passages: Sequence[Passage], near: NearQuestions, readings: Readings
) -> list[dict[str, float]]:
    """Return what tells whether each quote is needed, by name.

    Args:
        quotes: scored sentences of the first passages.
        passages: that they are of.
        near: known questions that are like the question.
        readings: of the first passages.
    """
    first = max(quotes, key=lambda quote: quote.score)
    best = {q.place: q.score for q in sorted(quotes, key=lambda quote: quote.score)}  # the last one stays
    told = [_Place(passage, near, readings) for passage in passages[: 1 + max(best)]]
    texts = [text_of(passages[quote.place], quote.sentence) for quote in quotes]
    keys = [sentence_key(text) for text in texts]
    read = [told[quote.place].sentence_odds(quote) for quote in quotes]
    known = [near.sentences.get(key, 0.0) for key in keys]
    asked = [near.asked_of(key) for key in keys]
    most = {place: max(n for n, q in zip(asked, quotes, strict=True) if q.place == place) for place in best}
    top = {
        "read": max((value for value in read if value is not None), default=0.0),
        "passage": max(told[place].odds for place in best),
        "known": max(known),
        "section": max(told[place].likeness for place in best),
        "score": max(passages[place].score for place in best) or 1.0,
    }
    rows = []
    for quote, text, odds, likeness, count in zip(quotes, texts, read, known, asked, strict=True):
        place = told[quote.place]
        share = (count + 0.5) / (place.asked + 2)
        own = _UNREAD if odds is None else odds
        rows.append(
            {
                "behind": quote.score - first.score,
                "behind_own": quote.score - best[quote.place],
                "here": float(quote.place == first.place),
                "read": own,
                "read_behind": own - top["read"],
                "unread": float(odds is None),
                "passage": place.odds,
                "passage_behind": place.odds - top["passage"],
                "known": likeness,
                "known_behind": likeness - top["known"],
                "section": place.likeness,
                "section_behind": place.likeness - top["section"],
                "asked": math.log(share),
                "asked_share": (count + 0.3) / (most[quote.place] + 0.3),
                "unasked": float(not place.asked),
                "length": math.log(shown_length(text)),
                "opens": float(place.number(quote) == 0),
                "place": float(quote.place),
                "score": passages[quote.place].score / top["score"],
                "row": float(quote.sentence.span.kind == "row"),
                "best": first.score,
                "change": float(passages[quote.place].status in _CHANGES),
                "advice": float(passages[quote.place].status in _CHANGES and advises(text)),
                **{name: quote.features.get(name, 0.0) for name in _OF_QUOTES},
            }
        )
    return rows


class _Place:
    """What is known of a passage.

    Attributes:
        odds: log odds of the reader that it answers.
        likeness: how near a known question that its section answers is.
        asked: how many known questions its section answers.
    """

    def __init__(self, passage: Passage, near: NearQuestions, readings: Readings) -> None:
        self._reading: PassageReading | None = readings.reading(passage)
        sentences = [each for each in passage.sentences if each.span.kind in QUOTABLE]
        self._numbers = {each.row: number for number, each in enumerate(sentences)}
        self.odds = self._reading.answers if self._reading else _UNREAD
        self.likeness = near.likeness(passage)
        self.asked = near.asked_in(section_name(passage)) if passage.document.kind == "digest" else 0

    def number(self, quote: Quote) -> int:
        """Return the number of a quote among the sentences that are read."""
        return self._numbers[quote.sentence.row]

    def sentence_odds(self, quote: Quote) -> float | None:
        """Return the log odds of the reader that a quote answers, None if it was not read."""
        return self._reading.sentences.get(self.number(quote)) if self._reading else None


def needs(odds: float) -> bool:
    """Check whether an answer needs a sentence.

    Args:
        odds: log odds that `useful` gave.
    """
    return odds >= _load().threshold


@dataclass(frozen=True, slots=True)
class _Model:
    """The regression: weights by name of feature, bias, and the log odds from which a sentence is needed."""

    weights: Mapping[str, float]
    bias: float
    threshold: float


@lru_cache(maxsize=1)
def _load(path: Path = MODEL) -> _Model:
    data = json.loads(path.read_text(encoding="utf-8"))
    return _Model(data["weights"], data["bias"], data["threshold"])

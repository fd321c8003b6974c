"""Puts the sentence that decides first in an answer, before those that explain it.

Within a section, sentences stand in the order of the document, which introduces, explains and then tells the
release, the figure or the command that was asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.query.answer_type import missing
from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.retrieval.sentences import Quote, text_of
from assistant.text.markdown import shown_length
from assistant.text.references import refers_back, says_whom, tells_past
from index.search.passage import ScoredSentence

_IN_ORDER = ("compare", "list")  # intents whose answers keep the order of the document
_NEAR = 3.5  # largest difference to the best score of sentences that stand before the others, in log odds
_LABEL = 40  # characters; shorter prose before code is its label


def lead_first(question: Question, picks: Sequence[Pick], quotes: Sequence[Quote]) -> list[Pick]:
    """Put the sentence of the first pick that decides before its other ones, and those that tell little last.

    What belongs to a sentence, such as its list or its code, comes with it. A sentence that refers to the one
    before stays behind it, and sentences that are not in the language of the question stay in their order.

    Args:
        question: parsed question.
        picks: in order.
        quotes: scored sentences.
    """
    if not picks or question.intent in _IN_ORDER:
        return list(picks)
    if picks[0].passage.language != question.language:  # across languages the scores tell less
        return list(picks)
    telling = (quote for quote in quotes if not quote.features.get("pointer"))  # others refer elsewhere
    scores = {quote.sentence.row: quote.score for quote in telling}
    first = picks[0]
    units = _units(first)
    lead = units.pop(_deciding(question, first, units, scores))
    odds = [max(scores.get(sentence.row, -math.inf) for sentence in unit) for unit in (lead, *units)]
    least = max(odds) - _NEAR
    told = [(unit, own >= least) for unit, own in zip(units, odds[1:], strict=True)]
    units = [lead, *(unit for unit, near in told if near), *(unit for unit, near in told if not near)]
    return [replace(first, sentences=tuple(s for unit in units for s in unit)), *picks[1:]]


def _deciding(
    question: Question, pick: Pick, units: Sequence[Sequence[ScoredSentence]], scores: Mapping[int, float]
) -> int:
    """Return the number of the unit with the best sentence among those with a value of the kind asked for.

    One that refers to another, says whom a change hits or how it was before leads only if there is no other.
    0 if none has a score.
    """
    if units[0][0].span.kind == "heading":
        return 0
    texts = [text_of(pick.passage, unit[0]) for unit in units]
    odds = [scores.get(unit[0].row, -math.inf) for unit in units]
    lame = [refers_back(text) or says_whom(text) or tells_past(text) for text in texts]
    best = min(
        range(len(units)), key=lambda at: (lame[at], missing(question.clean, [texts[at]]), -odds[at], at)
    )
    return 0 if odds[best] == -math.inf else best


def _units(pick: Pick) -> list[list[ScoredSentence]]:
    """Return sentences with what belongs to each of them: its list, its code, and what refers to it."""
    units: list[list[ScoredSentence]] = []
    for place, sentence in enumerate(pick.sentences):
        text, kind = text_of(pick.passage, sentence), sentence.span.kind
        after = pick.sentences[place + 1].span.kind if place + 1 < len(pick.sentences) else ""
        labels = kind == "prose" and after == "code" and shown_length(text) < _LABEL
        of_prose = kind == "item" and bool(units) and units[-1][0].span.kind == "prose"
        if units and (kind == "code" or labels or of_prose or refers_back(text)):
            units[-1].append(sentence)
        else:
            units.append([sentence])
    return units

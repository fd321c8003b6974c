"""Keeps the warning of a section in answers about using what the section describes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.query.question import Question
from assistant.query.yes_no import is_yes_no
from assistant.retrieval.pick import Pick
from assistant.retrieval.sentences import QUOTABLE, text_of
from ingest.status import MATURITIES

_WARNS = re.compile(
    r"[-*\s]*(?:\*\*)?(?:beware|caution|careful)\b|[-*\s]*(?:\*\*)?(?:请?注意|当心|小心)", re.I
)
#: Statuses of sections about one thing; those of others are lists, whose warnings concern their neighbours.
OF_ONE_THING = (*MATURITIES, "breaking", "deprecated", "platform")


def with_caveat(question: Question, picks: Sequence[Pick]) -> list[Pick]:
    """Add the first warning of the section that answers best, if the question is about using a thing.

    Args:
        question: parsed question.
        picks: of the answer, the best one first.
    """
    uses = question.intent == "howto" or is_yes_no(question.clean)
    if not (picks and uses) or picks[0].passage.status not in OF_ONE_THING:
        return list(picks)
    first, *others = picks
    warnings = [
        sentence
        for sentence in first.passage.sentences
        if sentence.span.kind in QUOTABLE and _WARNS.match(text_of(first.passage, sentence))
    ]
    if not warnings or any(warning in first.sentences for warning in warnings):
        return list(picks)
    kept = {*first.sentences, warnings[0]}
    ordered = tuple(sentence for sentence in first.passage.sentences if sentence in kept)
    return [replace(first, sentences=ordered), *others]

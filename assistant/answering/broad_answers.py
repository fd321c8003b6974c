"""Answers to broad questions: which builder answers which kind."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.answering.broad_answer import BroadAnswer, BroadSources, Builder
from assistant.answering.overview import overview
from assistant.answering.release_comparison import release_comparison
from assistant.answering.status_listing import status_listing
from assistant.answering.upgrade_advice import upgrade_advice
from assistant.query.broad_kind import BroadKind, broad_kind
from assistant.query.question import Question

#: The builder of each kind of broad question.
BUILDERS: Mapping[BroadKind, Builder] = {
    "overview": overview,
    "comparison": release_comparison,
    "upgrade": upgrade_advice,
    "list": status_listing,
}


def broad_answer(question: Question, sources: BroadSources) -> BroadAnswer | None:
    """Answer a broad question.

    Args:
        question: parsed question.
        sources: what to answer from.

    Returns:
        The answer, None if the question is narrow or the notes do not tell enough for its kind.
    """
    kind = broad_kind(question, sources.retriever.segmenter)
    return BUILDERS[kind](question, sources) if kind else None

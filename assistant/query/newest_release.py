"""Questions about the newest release: which release that is, and how far the indexed notes go."""

from __future__ import annotations

from dataclasses import replace

from assistant.query.question import Question
from assistant.text.messages import UP_TO
from index.search.retriever import Retriever


def newest(question: Question, retriever: Retriever) -> Question:
    """Resolve "the newest release" in a question.

    Later releases that are only announced are included, so that what is known of them is shown too.

    Args:
        question: parsed question. It is returned unchanged if it does not ask about the newest release.
        retriever: provides the releases of the indexed documents.

    Returns:
        The question with the releases in its scope.
    """
    told = retriever.newest_told
    if not question.scope.latest or told is None:
        return question
    meant = tuple(release for release in retriever.releases if release >= told)
    return replace(question, scope=replace(question.scope, releases=meant))


def up_to(question: Question, retriever: Retriever) -> str:
    """Return the notice on how far the notes go and how to get newer ones.

    Args:
        question: parsed question.
        retriever: provides the releases of the indexed documents.

    Returns:
        The notice in the language of the question, or "" if it does not ask about the newest release.
    """
    told = retriever.newest_told
    if not question.scope.latest or told is None:
        return ""
    return UP_TO[question.language].format(newest=told)

"""Questions about the newest release: which one that is, and how far the notes in the index go."""

from __future__ import annotations

from dataclasses import replace

from assistant.query.question import Question
from assistant.text.messages import UP_TO
from index.search.retriever import Retriever


def newest(question: Question, retriever: Retriever) -> Question:
    """Return a question about the newest release with the releases that are meant by it.

    A later one may only be announced: what is known of it comes beside what is told of the newest.

    Args:
        question: one that is about something else is returned as it is.
        retriever: has the releases.
    """
    told = retriever.newest_told
    if not question.scope.latest or told is None:
        return question
    meant = tuple(release for release in retriever.releases if release >= told)
    return replace(question, scope=replace(question.scope, releases=meant))


def up_to(question: Question, retriever: Retriever) -> str:
    """Return up to which release the notes go, and how newer ones come; "" for any other question."""
    told = retriever.newest_told
    if not question.scope.latest or told is None:
        return ""
    return UP_TO[question.language].format(newest=told)

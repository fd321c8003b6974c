"""Recognises broad questions: an overview, a comparison, advice on an upgrade, or a whole list.

A question is broad if nothing in it names a topic: without its releases, its statuses and the words that one
asks with, no word is left. One word that is left ("DataLoader") makes it narrow, whatever its form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from assistant.query.bound_words import FROM
from assistant.query.broad_words import (
    ASKING,
    COMPLETE,
    DOUBTS,
    LISTED,
    MOVES,
    NEWS,
    NUMBER,
    OWN,
    REASONS_AGAINST,
    REASONS_FOR,
)
from assistant.query.entities import entities
from assistant.query.question import Question
from assistant.query.release_mentions import ends, mentions_in, release_of
from assistant.query.topic_words import specific_words
from ingest.release import Release
from ingest.segment import Segmenter
from ingest.status import SAID, Status

BroadKind = Literal["overview", "comparison", "upgrade", "list"]

_STATUS = re.compile(
    rf"{'|'.join(SAID.values())}|breaking changes?|release status|不兼容变更", re.I | re.ASCII
)
_MOST_SPECIFIC = 1  # words besides the status in a question for a list of a status


def broad_kind(question: Question, segmenter: Segmenter) -> BroadKind | None:
    """Return the kind of a broad question, or None if the question is narrow.

    Args:
        question: parsed question.
        segmenter: splits the question into words.
    """
    names = topic_names(question)
    broad = _names_no_topic(question.standalone, names)
    if question.statuses:
        return _kind_with_status(question, names, segmenter, broad=broad)
    if not broad or question.intent in ("since", "number"):
        return None
    if names:
        return "list" if len(question.releases) == 1 and COMPLETE.search(question.clean) else None
    if listed_statuses(question):
        return "list" if question.releases else None
    if MOVES.search(question.clean) or DOUBTS.search(question.clean):
        return "upgrade"
    if _compares(question):
        return "comparison"
    if question.intent in ("howto", "deprecation") or (
        question.intent == "yesno" and not NEWS.search(question.clean)
    ):
        return None
    about_one = question.scope.latest or len(question.releases) == 1
    return "overview" if about_one or (not question.releases and NEWS.search(question.clean)) else None


def _compares(question: Question) -> bool:
    """Check whether a question is about two releases, or about all after one."""
    named, releases = {*question.scope.named}, question.releases
    return len(releases) > 1 and bool(named) and (len(named) > 1 or max(releases) > max(named))


def _kind_with_status(
    question: Question, names: Sequence[tuple[str, ...]], segmenter: Segmenter, *, broad: bool
) -> BroadKind | None:
    """Return the kind of a question that names a status: upgrade advice if it asks what breaks on the way."""
    if question.intent in ("compare", "since") or (question.intent == "number" and not broad):
        return None
    spelled = (name for spellings in names for name in spellings)
    if not broad and len(specific_words(question.standalone, segmenter, spelled)) > _MOST_SPECIFIC:
        return None  # asks about one thing and merely mentions its status
    moves = question.scope.left or (broad and MOVES.search(question.clean))
    if moves and question.statuses == ("breaking",) and not names:
        return "upgrade"
    return "list" if question.releases else None


def listed_statuses(question: Question) -> tuple[Status, ...]:
    """Return the statuses of the sections that a question for a list wants.

    Args:
        question: parsed question.
    """
    found = (statuses for statuses, words in LISTED if words.search(question.clean))
    return question.statuses or next(found, ())


def topic_names(question: Question) -> list[tuple[str, ...]]:
    """Return the names in a question that are more than words to ask with, in all their spellings.

    Args:
        question: parsed question.
    """
    return [
        spellings
        for spellings in entities(question)
        if not any(map(_STATUS.fullmatch, spellings)) and _left(" ".join(spellings))
    ]


def own_release(question: Question) -> Release | None:
    """Return the release that an upgrade starts from, or None if the question names none.

    Args:
        question: parsed question that asks about an upgrade.
    """
    if question.scope.left:
        return question.scope.left
    text = question.standalone
    for mention in mentions_in(text):
        if ends(FROM, text, mention.start()) or ends(OWN, text, mention.start()):
            return release_of(mention)
    return None


def asks_what_is_gained(question: Question) -> bool:
    """Check whether a question about an upgrade is only about what one gains.

    Args:
        question: parsed question about an upgrade.
    """
    text = question.clean
    return REASONS_FOR.search(text) is not None and REASONS_AGAINST.search(text) is None


def _names_no_topic(text: str, names: Sequence[tuple[str, ...]]) -> bool:
    """Check whether only names and words to ask with occur in a text."""
    spelled = sorted((name for spellings in names for name in spellings), key=len, reverse=True)
    for name in spelled:
        text = re.sub(re.escape(name), " ", text, flags=re.I)
    return not _left(text)


def _left(text: str) -> bool:
    """Check whether a word is left of a text without numbers, statuses and words to ask with."""
    rest = ASKING.sub(" ", _STATUS.sub(" ", NUMBER.sub(" ", text)))
    return re.search(r"[^\W_]", rest) is not None

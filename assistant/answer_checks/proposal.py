"""Checks proposed by a language model. It selects from the shipped ones; nothing it writes is executed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assistant.answer_checks.offers import Offer
from assistant.checks.check import Check
from assistant.checks.registry import load_checks
from assistant.llm.client import LanguageModel
from assistant.llm.errors import CutShortError
from assistant.llm.prompt import propose_prompt
from assistant.llm.query_rewriter import THOUGHT
from assistant.query.question_language import question_language
from ingest.release import Release

MOST = 3  # maximum number of proposed checks
_TOKENS = 120
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def proposed(model: LanguageModel, question: str, releases: Iterable[Release]) -> tuple[Offer, ...]:
    """Return the checks that a model proposes for a question.

    Args:
        model: the language model.
        question: the stand-alone question.
        releases: only checks of these releases; empty: all.

    Raises:
        LanguageModelError: the model does not answer.
    """
    named = {str(release) for release in releases}
    checks = [check for check in load_checks() if not named or named & {of for of, _ in check.sections}]
    return tuple(Offer(check) for check in propose(model, question, checks)) if checks else ()


def propose(model: LanguageModel, question: str, checks: Sequence[Check]) -> tuple[Check, ...]:
    """Let a model select the checks about a question, at most `MOST`; unknown ids are ignored.

    Args:
        model: the language model.
        question: the stand-alone question.
        checks: checks to choose from.

    Raises:
        LanguageModelError: the model does not answer.
    """
    language = question_language(question)
    lines = [f"{check.id}: {check.claim[language]}" for check in checks]
    try:
        written = model.complete(propose_prompt(question, lines, language), _TOKENS)
    except CutShortError:  # it writes more than ids
        return ()
    known = {check.id: check for check in checks}
    named = (name for name in _NAME.findall(written.rpartition(THOUGHT)[2].lower()) if name in known)
    return tuple(known[name] for name in list(dict.fromkeys(named))[:MOST])

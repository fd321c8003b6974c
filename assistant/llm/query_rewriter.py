"""Rewrites follow-ups as standalone questions with a language model.

A rewrite may only add what the conversation contains. If it has a release or a name that occurs in none of
the questions, it is discarded.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.llm.client import LanguageModel
from assistant.llm.errors import CutShortError
from assistant.llm.prompt import rewrite_prompt
from assistant.query.question_language import question_language
from assistant.text.claim_facts import holds_name, points
from ingest.document import Language

REWRITE_TOKENS = 160  # maximum length of a rewrite
THOUGHT = "</think>"  # end of a model's reasoning
_LONGEST = 3  # maximum length of a rewrite as a multiple of the longest question, plus all questions


def rewrite(model: LanguageModel, question: str, history: Sequence[str], language: Language) -> str:
    """Rewrite a follow-up as a standalone question.

    Args:
        model: language model.
        question: the follow-up.
        history: earlier questions, oldest first.
        language: language of the question.

    Returns:
        The standalone question, or "" if the model's rewrite is not usable.

    Raises:
        LanguageModelError: the model does not answer.
    """
    try:
        written = model.complete(rewrite_prompt(question, history, language), REWRITE_TOKENS)
    except CutShortError:  # the reasoning is longer than a question
        return ""
    return checked(written.rpartition(THOUGHT)[2], [*history, question], language)


def checked(written: str, asked: Sequence[str], language: Language) -> str:
    """Validate a rewrite.

    Args:
        written: reply of the model, without reasoning.
        asked: all questions of the conversation.
        language: required language.

    Returns:
        The rewrite, or "" if it is not one line in the language, is too long, or has an amount or name that
        the questions do not contain.
    """
    lines = [line.strip().strip('"“”「」') for line in written.strip().splitlines() if line.strip()]
    if len(lines) != 1:
        return ""
    line = lines[0]
    told = " ".join(asked).casefold()
    if len(line) > _LONGEST * max(map(len, asked)) + len(told) or question_language(line) != language:
        return ""
    wanted = points(line, language)
    amounts = all(amount.value in told for amount in wanted.amounts)
    return line if amounts and all(holds_name(name, told) for name in wanted.names) else ""

"""A follow-up in its stand-alone form, written by a language model and checked against what was asked.

A rewriting may fill in only what the conversation holds: a release or a name that stands in none of the
questions is the model's own, and the rewriting is not used.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.llm.client import LanguageModel
from assistant.llm.errors import CutShortError
from assistant.llm.prompt import rewrite_prompt
from assistant.query.question_language import question_language
from assistant.text.claim_facts import holds_name, points
from ingest.document import Language

REWRITE_TOKENS = 160
THOUGHT = "</think>"  # ends what a model thinks aloud
_LONGEST = 3  # times the questions it is made of


def rewrite(model: LanguageModel, question: str, history: Sequence[str], language: Language) -> str:
    """The stand-alone form of a question, "" where the model's is not to be used.

    Raises:
        LanguageModelError: the model does not answer.
    """
    try:
        written = model.complete(rewrite_prompt(question, history, language), REWRITE_TOKENS)
    except CutShortError:  # it thinks aloud for longer than a question is
        return ""
    return checked(written.rpartition(THOUGHT)[2], [*history, question], language)


def checked(written: str, asked: Sequence[str], language: Language) -> str:
    """A rewriting that says nothing the questions do not say, "" for another."""
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

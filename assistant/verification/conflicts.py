"""Exact conflicts: how quotes give another figure, name, status, value or polarity than a statement."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.text.claim_facts import holds_name, points
from assistant.verification.evidence import EvidenceSentence, TextMatcher
from assistant.verification.negation import opposed, other_value
from assistant.verification.numeric_checks import misattributed, miscounted
from assistant.verification.requirements import ClaimRequirements
from ingest.document import Language
from ingest.markup import reading_text
from ingest.segment import stem


def differs(text: str, quotes: Sequence[EvidenceSentence], language: Language) -> str:
    """Return how quotes give a figure of a statement to something else, or another value, or "".

    Args:
        text: plain text of the statement.
        quotes: its quotes, nearest first.
        language: language of the statement.
    """
    told = [quote.text for quote in quotes]
    if value := other_value(text, told):
        return f"the passage gives another value than {value}"
    if amount := miscounted(text, told, stem):
        return f"{amount} counts something else"
    if amount := misattributed(text, told, lambda part: points(part, language).names, holds_name):
        return f"{amount} belongs to something else"
    return ""


def unfit(
    claim: str,
    quotes: Sequence[EvidenceSentence],
    around: Sequence[EvidenceSentence],
    reading: TextMatcher,
    language: Language,
    question: str = "",
) -> str:
    """Return why quotes that somebody chose cannot prove a statement, by the exact checks, or "".

    Args:
        claim: the statement.
        quotes: the quotes chosen, not empty.
        around: evidence sentences of the passages that the statement or the quotes are of, where the rest of
            its names and figures may stand.
        reading: matcher for words and names.
        language: language of the statement.
        question: what was asked, whose names and figures may be repeated.
    """
    chosen = {id(quote) for quote in quotes}
    ranked = [*quotes, *(ground for ground in around if id(ground) not in chosen)]
    demanded = ClaimRequirements(reading, claim, ranked, language, question).check()
    text = reading_text(claim)
    for unmet in demanded.unmet:
        return unmet.reason
    if reason := differs(text, [*quotes, *demanded.quotes], language):
        return reason
    word = opposed(text, [quote.text for quote in quotes])
    return f"the quote says the opposite of {word!r}" if word else ""

"""The proof of answers that are made of quotes: what stands beside a mark stands in the passage.

Composing shortens, joins cells with the titles of their columns, and puts dates and statuses before. None of
that may bring in a figure or a name that the source does not have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.answer import Citation
from assistant.text.claim_facts import holds_amount, points
from assistant.text.messages import STATUS_NAMES
from assistant.text.quantities import amounts
from assistant.verification.draft import without_marks
from assistant.verification.evidence import TextMatcher
from ingest.document import LANGUAGES, Language
from ingest.markup import reading_text

_RELEASED = re.compile(r"[（(]\d{4}-\d{2}-\d{2}[）)]")  # of the release, which another document may tell
_LAST_MARK = re.compile(r"\[(\d+)\]\s*\|?\s*$")


def unfounded(
    text: str, citations: Sequence[Citation], language: Language, reading: TextMatcher
) -> dict[int, str]:
    """The marks whose line says what their passage does not, each with what that is."""
    by_number = {citation.number: citation for citation in citations}
    found: dict[int, str] = {}
    for line in text.splitlines():
        mark = _LAST_MARK.search(line)
        if mark and (citation := by_number.get(int(mark[1]))):
            told = _RELEASED.sub("", without_marks(line))
            lacking = _lacking(told, citation, language, reading)
            if lacking:
                found[citation.number] = lacking
    return found


def _lacking(line: str, citation: Citation, language: Language, reading: TextMatcher) -> str:
    """What of a line its source does not have, "" where it has all; most lines are their quotes."""
    wanted = points(line, language)
    quote = reading_text(citation.quote)
    # Of a Chinese sentence an English answer gives the names that the glossary has for them.
    retold = language == "en" and citation.passage.language == "zh"
    names = [name for name in wanted.names if not retold and not reading.holds(name, quote)]
    told = amounts(quote)
    figures = [amount for amount in wanted.amounts if not holds_amount(amount, told)]
    if not names and not figures:
        return ""
    passage = citation.passage
    date = passage.document.date.isoformat() if passage.document.date else ""
    statuses = [STATUS_NAMES[each][passage.status] for each in LANGUAGES]
    parts = [passage.text, reading_text(passage.text), passage.heading, passage.title, passage.version, date]
    source = " ".join([*parts, *statuses])
    for name in sorted(names):
        if not reading.holds(name, source):
            return name
    for amount in figures:
        if not holds_amount(amount, amounts(source)):
            return f"{amount.value} {amount.unit}".rstrip()
    return ""

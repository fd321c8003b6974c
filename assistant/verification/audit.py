"""Checks answers composed of quotes: each line may state only what its cited passage states.

Composing shortens quotes, joins table cells with their column titles, and prepends dates and statuses. None
of these steps may introduce a figure or a name that the source does not contain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.answer import Citation
from assistant.text.citation_marks import MARK
from assistant.text.claim_facts import holds_amount, points
from assistant.text.messages import STATUS_NAMES
from assistant.text.quantities import amounts
from assistant.verification.draft import without_marks
from assistant.verification.evidence import TextMatcher
from ingest.cleaning import code_lines
from ingest.document import LANGUAGES, Language
from ingest.markup import reading_text

_RELEASED = re.compile(r"[（(]\d{4}-\d{2}-\d{2}[）)]")  # of the release, which another document may tell
_LAST_MARK = re.compile(rf"{MARK.pattern}\s*\|?\s*$")


def unfounded(
    text: str, citations: Sequence[Citation], language: Language, reading: TextMatcher
) -> dict[int, str]:
    """Find the lines of an answer that state something their passage does not.

    Args:
        text: the answer. The citation mark at the end of each line names its passage.
        citations: citations of the answer.
        language: language of the answer.
        reading: matcher for names.

    Returns:
        The first unsupported name or amount of each such line, by citation number.
    """
    by_number = {citation.number: citation for citation in citations}
    found: dict[int, str] = {}
    lines = text.split("\n")
    for line, in_code in zip(lines, code_lines(lines), strict=True):
        mark = None if in_code else _LAST_MARK.search(line)
        if mark and (citation := by_number.get(int(mark[1]))):
            told = _RELEASED.sub("", without_marks(line))
            lacking = _lacking(told, citation, language, reading)
            if lacking:
                found[citation.number] = lacking
    return found


def _lacking(line: str, citation: Citation, language: Language, reading: TextMatcher) -> str:
    """Return the first name or amount of a line that its source lacks, or ""."""
    wanted = points(line, language)
    quote = reading_text(citation.quote)
    # An English answer renders a Chinese quote with the glossary's English names.
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

"""Entities: the names in a question, both glossary terms and words spelled like names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.query.question import Question
from assistant.text.identifiers import CAMEL, JOINED
from ingest.segment import ENGLISH_STOPWORDS

# From each letter of a long word the first of these looks on, so it looks no further than names go.
_CODED = rf"[A-Za-z][\w+/-]{{0,80}}\d[\w+-]*|{CAMEL}|{JOINED}"
_MOST = 64  # names; each is looked for in every sentence
_SUFFIX = re.compile(r"^(?=\w*[A-Z0-9])(\w+)(?:-[a-z]+)+$")  # "A100-only" names an A100
_NAMES = {
    # In Chinese any Latin word is a name, in English a word capitalized within a sentence.
    "zh": re.compile(rf"{_CODED}|(?<![A-Za-z])[A-Za-z][A-Za-z-]{{2,}}(?![A-Za-z])", re.ASCII),
    "en": re.compile(rf"{_CODED}|(?<![.?!] )(?<!^)\b[A-Z][a-z]+\b", re.ASCII),
}


def share_named(names: Sequence[Sequence[str]], text: str) -> float:
    """Compute the share of names that occur in a text in any of their spellings.

    Args:
        names: spellings of each name, in lower case.
        text: text to search, in any case.

    Returns:
        Share from 0 to 1, or 0.5 if there are no names.
    """
    folded = text.casefold()
    hits = [any(name in folded for name in spellings) for spellings in names]
    return sum(hits) / len(hits) if hits else 0.5


def entities(question: Question, *, proper: bool = False) -> list[tuple[str, ...]]:
    """Extract the names in a question.

    Args:
        question: parsed question.
        proper: whether to skip terms that are plain words ("weights"), which a relevant sentence may leave
            out.

    Returns:
        Accepted spellings of each name, in lower case.
    """
    terms = [term for term in question.terms if not (proper and re.fullmatch(r"[a-z]+", term.en))]
    found = [tuple(name.casefold() for name in (*term.names, *term.devices)) for term in terms[:_MOST]]
    spelled = {name for names in found for name in names}
    for match in _NAMES[question.language].finditer(question.clean):
        name = _SUFFIX.sub(r"\1", match[0]).casefold().strip("-/.")
        if name in ("pytorch", "torch", "i") or name in ENGLISH_STOPWORDS or re.fullmatch(r"[\d.]+", name):
            continue
        if not any(name in other or other in name for other in spelled):
            found.append((name,))
        if len(found) >= _MOST:
            break
    return found

"""Spelling: a slip of the keys in a name of the glossary set right before anything is searched.

Only words that no document has are touched, and only small ones: a name written with capitals that no
document has is another product, not a slip.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from corpus.glossary import Glossary
from index.resemblance import resembling
from ingest.locked_property import locked_cached_property
from ingest.segment import ENGLISH_STOPWORDS

_WORD = re.compile(r"(?<![A-Za-z])(?:[a-z]{6,}|(?<=[._])[a-z]{5}|[a-z]{5}(?=[._]\w))(?![A-Za-z])")


class Spelling:
    """Sets names right.

    Args:
        glossary: the names as they are spelled.
        known: whether the documents have a word.
    """

    def __init__(self, glossary: Glossary, known: Callable[[str], bool]) -> None:
        self._glossary = glossary
        self._known = known

    def right(self, text: str) -> str:
        """A text, each unknown word as the name that it resembles."""
        return _WORD.sub(lambda match: self._nearest(match[0]), text)

    @locked_cached_property
    def _names(self) -> Collection[str]:
        spelled = (name for term in self._glossary.terms for name in term.names)
        return sorted({word for name in spelled for word in _WORD.findall(name.casefold())})

    def _nearest(self, word: str) -> str:
        if word in ENGLISH_STOPWORDS or self._known(word):
            return word
        return resembling(word, self._names) or word

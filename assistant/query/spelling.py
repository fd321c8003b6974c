"""Corrects misspelled glossary names in a question before it is searched.

Only lower-case words that occur in no document are corrected: an unknown name with capitals is probably
another product rather than a misspelling.
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
    """Corrects misspelled names.

    Args:
        glossary: correctly spelled names.
        known: checks whether a word occurs in the documents.
    """

    def __init__(self, glossary: Glossary, known: Callable[[str], bool]) -> None:
        self._glossary = glossary
        self._known = known

    def right(self, text: str) -> str:
        """Replace each unknown word by the name that it resembles, if any.

        Args:
            text: question as typed.
        """
        return _WORD.sub(lambda match: self._nearest(match[0]), text)

    @locked_cached_property
    def _names(self) -> Collection[str]:
        spelled = (name for term in self._glossary.terms for name in term.names)
        return sorted({word for name in spelled for word in _WORD.findall(name.casefold())})

    def _nearest(self, word: str) -> str:
        if word in ENGLISH_STOPWORDS or self._known(word):
            return word
        return resembling(word, self._names) or word

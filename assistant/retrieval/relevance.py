"""What the words of a question count, measured on any text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

_WIDENED = 0.3  # weight of an added term against a typed one


@dataclass(frozen=True, slots=True)
class Relevance:
    """A question's words, and how telling they are in the corpus.

    Attributes:
        typed: terms of the question with their weights.
        widened: terms that the glossary adds to it, with theirs.
        vocabulary: the terms of a text.
        nearness: cosine of the vectors of two sentences, given by their rows.
    """

    typed: Mapping[str, float]
    widened: Mapping[str, float]
    vocabulary: Callable[[str], Collection[str]]
    nearness: Callable[[int, int], float] = lambda _one, _other: 0.0

    @classmethod
    def of(
        cls,
        typed: Iterable[str],
        widened: Mapping[str, float],
        idf: Callable[[str], float],
        vocabulary: Callable[[str], Collection[str]],
        nearness: Callable[[int, int], float],
    ) -> Relevance:
        """From terms, those added with weights up to 1, and how telling a term is in the corpus.

        Args:
            typed: terms of the question.
            widened: added terms with weights up to 1.
            idf: inverse document frequency of a term.
            vocabulary: terms of a text.
            nearness: cosine of the vectors of two sentences, given by their rows.
        """
        own = {term: idf(term) for term in typed}
        added = {term: weight * idf(term) for term, weight in widened.items() if term not in own}
        return cls(own, added, vocabulary, nearness)

    def coverage(self, text: str) -> float:
        """Share of the weight of all terms, those added less, that a text holds, 0 to 1.

        Args:
            text: text to compare.
        """
        held = self.vocabulary(text)
        got = _weight(self.typed, held) + _WIDENED * _weight(self.widened, held)
        total = sum(self.typed.values()) + _WIDENED * sum(self.widened.values())
        return got / total if total else 0.0

    def typed_coverage(self, text: str) -> float:
        """Share of the weight of the typed terms that a text holds, 0 to 1.

        Args:
            text: text to compare.
        """
        total = sum(self.typed.values())
        return _weight(self.typed, self.vocabulary(text)) / total if total else 0.0

    def widened_coverage(self, text: str) -> float:
        """Share of the weight of the added terms that a text holds, 0 to 1.

        Args:
            text: text to compare.
        """
        total = sum(self.widened.values())
        return _weight(self.widened, self.vocabulary(text)) / total if total else 0.0


def _weight(weights: Mapping[str, float], held: Collection[str]) -> float:
    return sum(weight for term, weight in weights.items() if term in held)

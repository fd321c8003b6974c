"""Widening: terms that the glossary adds to a question.

A term that the question names brings its other names: Chinese, English, identifiers, known mistranslations.
A need that is described without any name ("only compile the repeated block") finds terms by the vectors of
their one-line descriptions.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from assistant.query.question import Question
from corpus.glossary import Glossary, Term
from index.embedding.base import Embedder, Vectors
from ingest.locked_property import locked_cached_property
from ingest.release import Release
from ingest.segment import Segmenter

_NAMED = 0.5
_DESCRIBED = (1.0, 0.6)  # weight of the nearest description, and of the next


class QueryExpander:
    """Finds what the glossary adds to questions."""

    def __init__(self, glossary: Glossary, embedder: Embedder, segmenter: Segmenter) -> None:
        self.glossary = glossary
        self._embedder = embedder
        self._segmenter = segmenter

    @locked_cached_property
    def _vectors(self) -> Vectors:
        """Vectors of the descriptions, English and Chinese by turns, (2 x terms, dimension)."""
        return self._embedder.encode_documents(description_texts(self.glossary))

    def expansions(self, question: Question, vector: Vectors) -> dict[str, float]:
        """Terms of the lexical index to look for besides those typed, with weights up to 1."""
        weights: dict[str, float] = {}
        for term in question.terms:
            self._add(weights, term, _NAMED)
        for term, weight in zip(self.described(vector, question.releases), _DESCRIBED, strict=False):
            self._add(weights, term, weight)
        return weights

    def described(self, vector: Vectors, releases: Collection[Release] = ()) -> Sequence[Term]:
        """The terms whose descriptions are nearest, of the given releases where there are any, best first."""
        wanted = {str(release) for release in releases}
        nearness = (self._vectors @ vector).reshape(-1, 2).max(axis=1)
        found = (self.glossary.terms[int(row)] for row in np.argsort(-nearness))
        near = (term for term in found if not wanted or wanted & set(term.releases))
        return [term for term, _ in zip(near, _DESCRIBED, strict=False)]

    def nearness(self, vector: Vectors) -> float:
        """Cosine of the nearest description, -1 to 1."""
        return float((self._vectors @ vector).max())

    def _add(self, weights: dict[str, float], term: Term, weight: float) -> None:
        for name in term.names:
            for word in self._segmenter.terms(name):
                weights[word] = max(weight, weights.get(word, 0.0))


def description_texts(glossary: Glossary) -> list[str]:
    """What is embedded of the glossary: each term's English and Chinese line."""
    return [
        text
        for term in glossary.terms
        for text in (f"{term.en}: {term.what_en}", f"{term.zh[0] if term.zh else term.en}：{term.what_zh}")
    ]

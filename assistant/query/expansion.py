"""Query expansion: terms that the glossary adds to a question.

A glossary term in the question adds its other names: Chinese, English, identifiers, known mistranslations. A
need described without a name ("only compile the repeated block") adds the terms whose one-line descriptions
have the nearest vectors.
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

_NAMED = 0.5  # weight of the names of a term in the question
_DESCRIBED = (1.0, 0.6)  # weights of the terms with the nearest and the second nearest description


class QueryExpander:
    """Expands questions with names from the glossary.

    Args:
        glossary: terms with their names and descriptions.
        embedder: embeds the descriptions, on first use.
        segmenter: splits names into terms of the lexical index.
    """

    def __init__(self, glossary: Glossary, embedder: Embedder, segmenter: Segmenter) -> None:
        self.glossary = glossary
        self._embedder = embedder
        self._segmenter = segmenter

    @locked_cached_property
    def _vectors(self) -> Vectors:
        """Vectors of the descriptions, English and Chinese alternating, of shape (2 * terms, d)."""
        return self._embedder.encode_documents(description_texts(self.glossary))

    def expansions(self, question: Question, vector: Vectors) -> dict[str, float]:
        """Return the lexical terms to search for in addition to those of the question.

        Args:
            question: parsed question.
            vector: unit vector of the question, of shape (d,).

        Returns:
            Weights from 0 to 1 by lexical term.
        """
        weights: dict[str, float] = {}
        for term in question.terms:
            self._add(weights, term, _NAMED)
        for term, weight in zip(self.described(vector, question.releases), _DESCRIBED, strict=False):
            self._add(weights, term, weight)
        return weights

    def described(self, vector: Vectors, releases: Collection[Release] = ()) -> Sequence[Term]:
        """Return the glossary terms whose descriptions are nearest to a vector.

        Args:
            vector: unit vector of shape (d,).
            releases: if not empty, only terms of these releases are considered.

        Returns:
            At most two terms, nearest first.
        """
        wanted = {str(release) for release in releases}
        nearness = (self._vectors @ vector).reshape(-1, 2).max(axis=1)
        found = (self.glossary.terms[int(row)] for row in np.argsort(-nearness))
        near = (term for term in found if not wanted or wanted & set(term.releases))
        return [term for term, _ in zip(near, _DESCRIBED, strict=False)]

    def nearness(self, vector: Vectors) -> float:
        """Return the cosine of the nearest description, -1 to 1.

        Args:
            vector: unit vector of shape (d,).
        """
        return float((self._vectors @ vector).max())

    def _add(self, weights: dict[str, float], term: Term, weight: float) -> None:
        for name in term.names:
            for word in self._segmenter.terms(name):
                weights[word] = max(weight, weights.get(word, 0.0))


def description_texts(glossary: Glossary) -> list[str]:
    """Return the texts of the glossary that are embedded.

    Args:
        glossary: terms with their descriptions.

    Returns:
        Two texts per term, English then Chinese.
    """
    return [
        text
        for term in glossary.terms
        for text in (f"{term.en}: {term.what_en}", f"{term.zh[0] if term.zh else term.en}：{term.what_zh}")
    ]

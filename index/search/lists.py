"""The ranked lists of a query: six, for the releases asked for and for the others."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from index.dense.vectors import FLAT_LIMIT
from index.scope import Scope
from index.search.facts import RowFacts
from index.search.fusion import Fusion
from index.search.query import Query, Scores, Weights
from index.search.sections import DigestSections
from index.storage.interface import Index
from ingest.locked_property import locked_cached_property
from ingest.segment import Segmenter

_Result = TypeVar("_Result")
Ints = NDArray[np.int64]
Found = list[tuple[Ints, Scores]]


@dataclass(frozen=True)
class RankedLists:
    """Ranks the chunks of an index for a query.

    Attributes:
        generation: the index.
        segmenter: the segmenter that the index was built with.
        facts: metadata of its chunks.
    """

    generation: Index
    segmenter: Segmenter
    facts: RowFacts

    def rank(self, query: Query, weights: Weights) -> Fusion:
        """Return the rankings, not yet fused.

        Args:
            query: what to search for.
            weights: weights and length of the lists.
        """
        generation = self.generation
        weighed = self._scopes(query, weights)
        scopes = [scope for scope, _ in weighed]
        of_sentences = [None if scope is None else self.facts.of_sentences(scope) for scope in scopes]

        def nearest() -> tuple[Found, Found]:
            return (
                generation.chunk_vectors.nearest(query.vector, weights.depth, scopes),
                generation.sentence_vectors.nearest(query.vector, weights.depth, of_sentences),
            )

        near = self._beside(nearest)
        typed = dict.fromkeys(self.segmenter.terms(query.text), 1.0)
        widened = {term: weight for term, weight in query.expansions.items() if term not in typed}
        lexical = (
            ("lexical", generation.terms, typed, weights.lexical),
            ("heading", generation.heading_terms, typed, weights.heading),
            ("widened", generation.terms, widened, weights.widened),
        )
        tops = [(name, index.ranked(words, weights.depth, scopes), w) for name, index, words, w in lexical]
        chunks, sentences = near()
        fusion = Fusion(weights.rank_constant)
        for number, (scope, factor) in enumerate(weighed):
            rows, cosines = chunks[number]
            fusion.add_owned("dense", rows, cosines, factor * weights.dense)
            rows, cosines = sentences[number]
            owners = np.searchsorted(self.facts.first_sentences, rows, side="right") - 1
            fusion.add_owned("sentence", owners, cosines, factor * weights.sentence)
            for name, top, weight in tops:
                fusion.add(name, top[number], factor * weight)
            mask = None if scope is None else scope.mask
            for rows in self._sections.nearest(query.sections, query.vector, mask):
                fusion.add("suggested", rows, factor * weights.suggested)
        return fusion

    def _scopes(self, query: Query, weights: Weights) -> list[tuple[Scope | None, float]]:
        """Return each set of chunks to rank, with its weight: the releases asked for, then the others."""
        if not query.releases:
            return [(None, 1.0)]
        inside = self.facts.scope(query.releases)
        if query.strict:
            return [(inside, 1.0)]
        elsewhere = weights.other_release if query.elsewhere is None else query.elsewhere
        return [(inside, 1.0), (self.facts.scope(query.releases, others=True), elsewhere)]

    def _beside(self, task: Callable[[], _Result]) -> Callable[[], _Result]:
        """Run a task in another thread if the index is large enough for that to pay off."""
        if len(self.generation.sentence_vectors) <= FLAT_LIMIT:
            return task
        return self._threads.submit(task).result

    @locked_cached_property
    def _sections(self) -> DigestSections:
        return DigestSections(self.generation)

    @locked_cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(thread_name_prefix="torchnotes-vectors")

"""Retrieval: dense and lexical rankings, fused by rank, without near-duplicates.

Six rankings are fused (`fusion.py`): chunk vectors, the best sentence vector of each chunk, BM25 over text,
heading path and terms of the glossary, and the sections that the query suggests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from index.dense.vectors import FLAT_LIMIT, Ints
from index.search.facts import RowFacts
from index.search.fusion import Fusion
from index.search.parts import Repeats, other_part, parts
from index.search.passage import Passage, ScoredSentence, joined
from index.search.query import Query, Scores, Weights
from index.search.sections import DigestSections
from index.storage.generation import Generation
from ingest.chunk import Chunk, lexical_text
from ingest.document import Document, Language, newest_told
from ingest.locked_property import locked_cached_property
from ingest.release import Release
from ingest.segment import Segmenter
from ingest.status import Status

_Result = TypeVar("_Result")


def _all(chunk: Chunk, document: Document) -> bool:
    """Admit every chunk."""
    return True


@dataclass
class Retriever:
    """Searches one generation of the index.

    Attributes:
        generation: the index.
        segmenter: the segmenter that the index was built with.
        weights: weights of the fused rankings.
        admits: whether a chunk of a document may be found; applied to chunks that would be returned by any
            method but `passage` and `said_by`.
    """

    generation: Generation
    segmenter: Segmenter
    weights: Weights = field(default_factory=Weights)
    admits: Callable[[Chunk, Document], bool] = _all

    def __post_init__(self) -> None:
        self._facts = RowFacts(self.generation)
        self._repeats = Repeats(self.generation, self._facts)
        self._sections = DigestSections(self.generation)

    @locked_cached_property
    def row_of(self) -> dict[str, int]:
        """Row of each chunk by its id."""
        return {chunk.id: row for row, chunk in enumerate(self.generation.chunks)}

    @property
    def releases(self) -> tuple[Release, ...]:
        """Releases of the documents, oldest first."""
        return self._facts.releases

    @locked_cached_property
    def newest_told(self) -> Release | None:
        """The newest release that the documents describe; see `ingest.document.newest_told`."""
        return newest_told(self.generation.documents.values())

    def search(self, query: Query, top_k: int = 8) -> list[Passage]:
        """Return the best passages, best first, without near-duplicates.

        Args:
            query: what to search for.
            top_k: maximum number of chunks; adjacent ones of a section are then joined.
        """
        if not self.generation.chunks:
            return []
        fusion = self._rank(query)
        rows, scores = fusion.fused(lambda rows: self._preference(rows, query.statuses))
        depth = self.weights.depth
        picked: dict[int, float] = {}
        for row, score in zip(rows[:depth].tolist(), scores[:depth].tolist(), strict=True):
            if len(picked) >= top_k:
                break
            if not self._admitted(row):
                continue
            part = self._repeats.part(row, list(picked))
            if part not in picked and self._admitted(part) and not self._repeats.told(part, list(picked)):
                picked[part] = score
        passages = [
            self._passage(row, score, fusion.ranks(row), fusion.cosines.get(row, -1.0), query.vector)
            for row, score in picked.items()
        ]
        return joined(passages)

    def counterpart(
        self, passage: Passage, language: Language, vector: Scores | None = None
    ) -> Passage | None:
        """Return the passage with the same content in another language, of the same release, or None.

        Sections of digests are paired by their ids. Otherwise the nearest chunk is used if its cosine is high
        enough, documents of the same kind first.

        Args:
            passage: the passage to match.
            language: language of the result.
            vector: vector for the cosines of the result's sentences; None: that of the passage.
        """
        chunks, row = self.generation.chunks, self.row_of[passage.chunk.id]
        rows = self._facts.rows(passage.release, language)
        vectors = self.generation.chunk_vectors
        own = vectors.rows(np.array([row], np.int64))[0]

        def version(row: int) -> Passage:
            seen_from = own if vector is None else vector
            return self._passage(row, passage.score, {}, passage.cosine, seen_from)

        section = passage.chunk.section_id
        same = (r for r in rows.tolist() if section and chunks[r].section_id == section)
        paired = next(filter(self._admitted, same), None)
        if paired is not None:
            here, there = parts(chunks, row), parts(chunks, paired)
            held = [r for r in here if passage.start <= chunks[r].start and chunks[r].end <= passage.end]
            others = dict.fromkeys(other_part(here, r, there) for r in held or [row])
            return joined([version(r) for r in filter(self._admitted, others)] or [version(paired)])[0]
        for candidates in (self._facts.of_kind(rows, passage.document.kind), rows):
            near, cosines = vectors.search(own, 1, allowed=candidates)
            if len(near) and cosines[0] >= _COUNTERPART_COSINE and self._admitted(int(near[0])):
                return version(int(near[0]))
        return None

    def sections(self, release: Release, statuses: Sequence[Status]) -> list[Passage]:
        """Return the first passage of each section of a release that has one of the statuses.

        Args:
            release: the release.
            statuses: statuses to match.
        """
        found: dict[tuple[str, int], int] = {}
        for row in self._facts.of_status(self._facts.rows(release), statuses).tolist():
            chunk = self.generation.chunks[row]
            if self._admitted(row):
                found.setdefault((chunk.document_id, chunk.section), row)
        return [self.passage(row) for row in found.values()]

    def every(self, release: Release) -> list[Passage]:
        """Return all passages of a `release`, document by document, in order."""
        return [self.passage(row) for row in filter(self._admitted, self._facts.rows(release).tolist())]

    def telling(
        self, name: re.Pattern[str], words: Collection[str], releases: Sequence[Release]
    ) -> Iterator[Release]:
        """Yield the releases that have a text in which all terms occur and the name matches.

        Args:
            name: pattern of the name.
            words: terms of the name, looked up in the index so that only few texts are matched.
            releases: releases to check.
        """
        rows = self.generation.terms.holding(words)
        for release in releases if len(rows) else ():
            own = rows[self._facts.mask([release])[rows]].tolist()
            if any(name.search(self._lexical_text(row)) and self._admitted(row) for row in own):
                yield release

    def mentions(self, name: re.Pattern[str], words: Collection[str]) -> Iterator[str]:
        """Yield every match of a name in the texts that contain all terms.

        Args:
            name: pattern of the name.
            words: terms of the name, looked up in the index so that only few texts are matched.
        """
        for row in self.generation.terms.holding(words).tolist():
            found = [match[0] for match in name.finditer(self._lexical_text(row))]
            if found and self._admitted(row):
                yield from found

    def passage(self, row: int) -> Passage:
        """Return a chunk as a passage, with score and cosines 0.

        Args:
            row: row of the chunk.
        """
        nowhere = np.zeros(self.generation.chunk_vectors.dimension, np.float32)
        return self._passage(row, 0.0, {}, 0.0, nowhere)

    def said_by(self, vector: Scores, limit: int) -> list[tuple[Release | None, float]]:
        """Return release and cosine of the sentences nearest to a vector, best first.

        Args:
            vector: unit vector, shape (dimension,).
            limit: maximum number of sentences.
        """
        rows, cosines = self.generation.sentence_vectors.search(vector, limit)
        owners = np.searchsorted(self._facts.first_sentences, rows, side="right") - 1
        documents = [self.generation.documents[self.generation.chunks[int(o)].document_id] for o in owners]
        return [(d.release, float(cosine)) for d, cosine in zip(documents, cosines, strict=True)]

    def _admitted(self, row: int) -> bool:
        chunk = self.generation.chunks[row]
        return self.admits(chunk, self.generation.documents[chunk.document_id])

    def _lexical_text(self, row: int) -> str:
        chunk = self.generation.chunks[row]
        return lexical_text(chunk, self.generation.documents[chunk.document_id])

    def _rank(self, query: Query) -> Fusion:
        """Add the five rankings, for the releases asked for and for the others."""
        weights, generation = self.weights, self.generation
        scopes = self._scopes(query)
        masks = [mask for mask, _ in scopes]
        of_sentences = [None if mask is None else self._facts.sentences(mask) for mask in masks]

        def nearest() -> tuple[list[tuple[Ints, Scores]], list[tuple[Ints, Scores]]]:
            return (
                generation.chunk_vectors.search_each(query.vector, weights.depth, masks),
                generation.sentence_vectors.search_each(query.vector, weights.depth, of_sentences),
            )

        near = self._beside(nearest)
        typed = dict.fromkeys(self.segmenter.terms(query.text), 1.0)
        widened = {term: weight for term, weight in query.expansions.items() if term not in typed}
        lexical = (
            ("lexical", generation.terms, typed, weights.lexical),
            ("heading", generation.heading_terms, typed, weights.heading),
            ("widened", generation.terms, widened, weights.widened),
        )
        tops = [(name, index.top(words, weights.depth, masks), w) for name, index, words, w in lexical]
        chunks, sentences = near()
        fusion = Fusion(weights.rank_constant)
        for number, (_, factor) in enumerate(scopes):
            rows, cosines = chunks[number]
            fusion.add_owned("dense", rows, cosines, factor * weights.dense)
            rows, cosines = sentences[number]
            owners = np.searchsorted(self._facts.first_sentences, rows, side="right") - 1
            fusion.add_owned("sentence", owners, cosines, factor * weights.sentence)
            for name, top, weight in tops:
                fusion.add(name, top[number], factor * weight)
            for rows in self._sections.nearest(query.sections, query.vector, masks[number]):
                fusion.add("suggested", rows, factor * weights.suggested)
        return fusion

    def _beside(self, task: Callable[[], _Result]) -> Callable[[], _Result]:
        """Run a task in another thread if the index is large enough for that to pay off."""
        if len(self.generation.sentence_vectors) <= FLAT_LIMIT:
            return task
        return self._threads.submit(task).result

    @locked_cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(thread_name_prefix="torchnotes-vectors")

    def _preference(self, rows: Ints, statuses: Sequence[Status]) -> Scores:
        """Return the factor of each row's score."""
        factors = np.ones(len(rows), np.float32)
        for status in statuses:
            factors[np.isin(rows, self._facts.of_status(rows, [status]))] *= self.weights.status
        return factors

    def _scopes(self, query: Query) -> list[tuple[NDArray[np.bool_] | None, float]]:
        """Return mask and weight of each set of chunks to rank: the releases asked for, then the others."""
        if not query.releases:
            return [(None, 1.0)]
        inside = self._facts.mask(query.releases)
        if query.strict:
            return [(inside, 1.0)]
        elsewhere = self.weights.other_release if query.elsewhere is None else query.elsewhere
        return [(inside, 1.0), (~inside, elsewhere)]

    def _passage(
        self, row: int, score: float, ranks: dict[str, int], cosine: float, vector: Scores
    ) -> Passage:
        chunk = self.generation.chunks[row]
        first, last = map(int, self._facts.first_sentences[row : row + 2])
        near = self.generation.sentence_vectors.rows(np.arange(first, last, dtype=np.int64)) @ vector
        return Passage(
            chunk=chunk,
            document=self.generation.documents[chunk.document_id],
            start=chunk.start,
            end=chunk.end,
            score=score,
            ranks=ranks,
            cosine=cosine,
            sentences=tuple(
                ScoredSentence(s, float(c), first + i)
                for i, (s, c) in enumerate(zip(chunk.sentences, near, strict=True))
            ),
        )


_COUNTERPART_COSINE = 0.8

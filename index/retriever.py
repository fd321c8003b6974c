"""Retrieval: dense and lexical lists, fused by rank, then made diverse.

Five lists rank the chunks: the chunk's vector, its best sentence's vector, BM25 over its text, BM25 over its
heading path, and BM25 over the words that the glossary adds. They are fused by weighted reciprocal rank
(Cormack, Clarke & Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from index.generation import Generation
from index.passage import Passage, ScoredSentence, joined
from index.vectors import Ints, VectorIndex
from ingest.document import Language
from ingest.release import Release
from ingest.segment import Segmenter
from ingest.status import Status

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for.

    Attributes:
        text: the stand-alone question.
        vector: its embedding, (dimension,), unit length.
        expansions: terms that the glossary adds, with their weights.
        releases: look in these first; empty: everywhere.
        strict: leave out other releases altogether.
        statuses: statuses asked for.
    """

    text: str
    vector: Scores
    expansions: Mapping[str, float] = field(default_factory=dict)
    releases: tuple[Release, ...] = ()
    strict: bool = False
    statuses: tuple[Status, ...] = ()


@dataclass(frozen=True, slots=True)
class Weights:
    """What each list counts in the fusion, and how strongly preferences act."""

    dense: float = 1.0
    sentence: float = 0.5
    lexical: float = 1.0
    heading: float = 0.5
    widened: float = 1.5
    rank_constant: float = 10.0
    other_release: float = 0.25
    status: float = 1.3
    depth: int = 100


@dataclass
class Retriever:
    """Finds the passages near a query in one generation of the index."""

    generation: Generation
    segmenter: Segmenter
    weights: Weights = field(default_factory=Weights)

    def __post_init__(self) -> None:
        chunks = self.generation.chunks
        documents = [self.generation.documents[c.document_id] for c in chunks]
        self._releases = np.array([_code(d.release) for d in documents], np.int64)
        self._languages = np.array([d.language for d in documents])
        self._kinds = np.array([d.kind for d in documents])
        self._statuses = np.array([c.status for c in chunks])
        self._row = {chunk.id: row for row, chunk in enumerate(chunks)}
        owner = self.generation.sentence_owner
        self._first_sentence = np.searchsorted(owner, np.arange(len(chunks) + 1))

    @property
    def releases(self) -> tuple[Release, ...]:
        """The releases that documents are about, oldest first."""
        found = {d.release for d in self.generation.documents.values() if d.release}
        return tuple(sorted(found))

    def search(self, query: Query, top_k: int = 8) -> list[Passage]:
        """The nearest passages, best first, near-duplicates left out."""
        if not self.generation.chunks:
            return []
        vector = query.vector
        scores, ranks, cosines = self._fuse(query, vector)
        order = np.argsort(-scores, kind="stable")
        picked: list[int] = []
        for row in map(int, order[: self.weights.depth]):
            if scores[row] <= 0 or len(picked) >= top_k:
                break
            if not self._repeats(row, picked):
                picked.append(row)
        passages = [
            self._passage(row, float(scores[row]), ranks, cosines.get(row, -1.0), vector) for row in picked
        ]
        return joined(passages)

    def counterpart(
        self, passage: Passage, language: Language, vector: Scores | None = None
    ) -> Passage | None:
        """The passage of the same release that says the same in another language, or None.

        Sections of digests are paired by their ids; elsewhere the nearest chunk counts, if it is near enough,
        first among documents of the same kind.

        Args:
            passage: what to find the other version of.
            language: of the other version.
            vector: what the cosines of its sentences are to; None: the passage.
        """
        chunk = passage.chunk
        mask = (self._languages == language) & (self._releases == _code(passage.release))
        rows = np.flatnonzero(mask).astype(np.int64)
        if not len(rows):
            return None
        vectors = self.generation.chunk_vectors
        own = vectors.rows(np.array([self._row[chunk.id]], np.int64))[0]
        paired = [
            r
            for r in rows.tolist()
            if chunk.section_id and self.generation.chunks[r].section_id == chunk.section_id
        ]
        alike = rows[self._kinds[rows] == passage.document.kind]
        for candidates in (np.array(paired, np.int64),) if paired else (alike, rows):
            near, cosines = vectors.search(own, 1, allowed=candidates)
            if paired or (len(near) and cosines[0] >= _COUNTERPART_COSINE):
                seen_from = own if vector is None else vector
                return self._passage(int(near[0]), passage.score, {}, passage.cosine, seen_from)
        return None

    def sections(self, release: Release, statuses: Sequence[Status]) -> list[Passage]:
        """The first passage of each section of a release that has one of the statuses."""
        found: dict[tuple[str, int], int] = {}
        mask = (self._releases == _code(release)) & np.isin(self._statuses, list(statuses))
        for row in np.flatnonzero(mask).tolist():
            chunk = self.generation.chunks[row]
            found.setdefault((chunk.document_id, chunk.section), row)
        return self._unranked(found.values())

    def openings(self, release: Release) -> list[Passage]:
        """The passages of a release that belong to no status: where its documents sum up what it brings."""
        mask = (self._releases == _code(release)) & (self._statuses == "")
        return self._unranked(np.flatnonzero(mask).tolist())

    def _unranked(self, rows: Iterable[int]) -> list[Passage]:
        nowhere = np.zeros(self.generation.chunk_vectors.dimension, np.float32)
        return [self._passage(row, 0.0, {}, 0.0, nowhere) for row in rows]

    def _fuse(
        self, query: Query, vector: Scores
    ) -> tuple[Scores, dict[str, dict[int, int]], dict[int, float]]:
        """Fused score of each chunk, its rank in each list, and the best cosine of those found by vectors."""
        weights = self.weights
        typed = dict.fromkeys(self.segmenter.terms(query.text), 1.0)
        widened = {term: weight for term, weight in query.expansions.items() if term not in typed}
        lexical = {
            "lexical": (self.generation.terms.scores(typed), weights.lexical),
            "heading": (self.generation.heading_terms.scores(typed), weights.heading),
            "widened": (self.generation.terms.scores(widened), weights.widened),
        }
        fused = np.zeros(len(self.generation.chunks), np.float32)
        ranks: dict[str, dict[int, int]] = {}
        cosines: dict[int, float] = {}

        def add(name: str, rows: Iterable[int], weight: float) -> None:
            places = ranks.setdefault(name, {})
            for rank, row in enumerate(rows, 1):
                fused[row] += weight / (weights.rank_constant + rank)
                places.setdefault(row, rank)

        for mask, factor in self._scopes(query):
            for name, (index, owner, weight) in self._dense(weights).items():
                rows = _nearest(index, owner, vector, mask, weights.depth, cosines)
                add(name, rows, factor * weight)
            for name, (values, weight) in lexical.items():
                add(name, _top(values, mask, weights.depth), factor * weight)
        for status in query.statuses:
            fused[self._statuses == status] *= weights.status
        return fused, ranks, cosines

    def _dense(self, weights: Weights) -> dict[str, tuple[VectorIndex, Ints, float]]:
        everything = np.arange(len(self.generation.chunks), dtype=np.int64)
        return {
            "dense": (self.generation.chunk_vectors, everything, weights.dense),
            "sentence": (self.generation.sentence_vectors, self.generation.sentence_owner, weights.sentence),
        }

    def _scopes(self, query: Query) -> list[tuple[NDArray[np.bool_] | None, float]]:
        """Which chunks to rank, and what each ranking counts: the releases asked for, then the others."""
        if not query.releases:
            return [(None, 1.0)]
        inside = np.isin(self._releases, [_code(r) for r in query.releases])
        return [(inside, 1.0)] if query.strict else [(inside, 1.0), (~inside, self.weights.other_release)]

    def _repeats(self, row: int, picked: Sequence[int]) -> bool:
        """Whether a chunk says of the same release what a better one says, in either language."""
        same = [other for other in picked if self._releases[other] == self._releases[row]]
        if any(self._paired(row, other) for other in same):
            return True
        alike = [other for other in same if self._languages[other] == self._languages[row]]
        if not alike:
            return False
        vectors = self.generation.chunk_vectors.rows(np.array([row, *alike], np.int64))
        return bool((vectors[1:] @ vectors[0] > _DUPLICATE_COSINE).any())

    def _paired(self, row: int, other: int) -> bool:
        """Whether two chunks of one release are of one digest section in two languages."""
        section = self.generation.chunks[row].section_id
        same = bool(section) and section == self.generation.chunks[other].section_id
        return same and bool(self._languages[row] != self._languages[other])

    def _passage(
        self, row: int, score: float, ranks: dict[str, dict[int, int]], cosine: float, vector: Scores
    ) -> Passage:
        chunk = self.generation.chunks[row]
        first, last = int(self._first_sentence[row]), int(self._first_sentence[row + 1])
        near = self.generation.sentence_vectors.rows(np.arange(first, last, dtype=np.int64)) @ vector
        return Passage(
            chunk=chunk,
            document=self.generation.documents[chunk.document_id],
            start=chunk.start,
            end=chunk.end,
            score=score,
            ranks={name: places[row] for name, places in ranks.items() if row in places},
            cosine=cosine,
            sentences=tuple(
                ScoredSentence(s, float(c), first + i)
                for i, (s, c) in enumerate(zip(chunk.sentences, near, strict=True))
            ),
        )


_DUPLICATE_COSINE = 0.97
_COUNTERPART_COSINE = 0.88


def _nearest(
    index: VectorIndex,
    owner: Ints,
    vector: Scores,
    mask: NDArray[np.bool_] | None,
    depth: int,
    cosines: dict[int, float],
) -> list[int]:
    """Chunks by their nearest vector, best first; notes each one's best cosine."""
    allowed = None if mask is None else np.flatnonzero(mask[owner]).astype(np.int64)
    rows, scores = index.search(vector, depth, allowed=allowed)
    found: dict[int, None] = {}
    for row, score in zip(owner[rows].tolist(), scores.tolist(), strict=True):
        found.setdefault(row)
        cosines[row] = max(score, cosines.get(row, -1.0))
    return list(found)


def _top(values: Scores, mask: NDArray[np.bool_] | None, depth: int) -> list[int]:
    """Chunks with the highest positive values among those allowed, best first."""
    positive = values > 0
    rows = np.flatnonzero(positive if mask is None else positive & mask)
    if len(rows) > depth:
        rows = rows[np.argpartition(-values[rows], depth)[:depth]]
    return [int(r) for r in rows[np.argsort(-values[rows], kind="stable")]]


def _code(release: Release | None) -> int:
    return release.major * 1000 + release.minor if release else -1

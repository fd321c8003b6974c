"""Retrieval: dense and lexical rankings, fused by rank, without near-duplicates.

Six rankings are fused (`fusion.py`): chunk vectors, the best sentence vector of each chunk, BM25 over text,
heading path and terms of the glossary, and the sections that the query suggests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from index.search.facts import RowFacts
from index.search.lists import RankedLists
from index.search.parts import Repeats, other_part, parts
from index.search.passage import Passage, ScoredSentence, joined
from index.search.query import Query, Scores, Weights
from index.storage.interface import Index
from ingest.chunk import Chunk, lexical_text
from ingest.document import Document, Language, newest_told
from ingest.locked_property import locked_cached_property
from ingest.release import Release
from ingest.segment import Segmenter
from ingest.status import Status

Ints = NDArray[np.int64]


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

    generation: Index
    segmenter: Segmenter
    weights: Weights = field(default_factory=Weights)
    admits: Callable[[Chunk, Document], bool] = _all

    def __post_init__(self) -> None:
        self._facts = RowFacts(self.generation)
        self._repeats = Repeats(self.generation, self._facts)
        self._lists = RankedLists(self.generation, self.segmenter, self._facts)

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
        fusion = self._lists.rank(query, self.weights)
        rows, scores = fusion.fused(lambda rows: self._preference(rows, query.statuses))
        depth = self.weights.depth
        self.generation.chunk_vectors.expect(rows[: _EXPECTED * top_k])
        picked: dict[int, float] = {}
        for row, score in zip(rows[:depth].tolist(), scores[:depth].tolist(), strict=True):
            if len(picked) >= top_k:
                break
            if not self._admitted(row):
                continue
            part = self._repeats.part(row, list(picked))
            if part not in picked and self._admitted(part) and not self._repeats.told(part, list(picked)):
                picked[part] = score
        self.generation.sentence_vectors.expect(self._sentences(list(picked)))
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
        for kind in (passage.document.kind, None):
            scope = self._facts.scope_of_few(passage.release, language, kind)
            [(near, cosines)] = vectors.nearest(own, 1, [scope])
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
        return self._passage(row, 0.0, {}, 0.0, None)

    def said_by(self, vector: Scores, limit: int) -> list[tuple[Release | None, float]]:
        """Return release and cosine of the sentences nearest to a vector, best first.

        Args:
            vector: unit vector, shape (dimension,).
            limit: maximum number of sentences.
        """
        [(rows, cosines)] = self.generation.sentence_vectors.nearest(vector, limit, [None])
        owners = np.searchsorted(self._facts.first_sentences, rows, side="right") - 1
        documents = [self.generation.documents[self.generation.chunks[int(o)].document_id] for o in owners]
        return [(d.release, float(cosine)) for d, cosine in zip(documents, cosines, strict=True)]

    def _admitted(self, row: int) -> bool:
        chunk = self.generation.chunks[row]
        return self.admits(chunk, self.generation.documents[chunk.document_id])

    def _lexical_text(self, row: int) -> str:
        chunk = self.generation.chunks[row]
        return lexical_text(chunk, self.generation.documents[chunk.document_id])

    def _preference(self, rows: Ints, statuses: Sequence[Status]) -> Scores:
        """Return the factor of each row's score."""
        factors = np.ones(len(rows), np.float32)
        for status in statuses:
            factors[np.isin(rows, self._facts.of_status(rows, [status]))] *= self.weights.status
        return factors

    def _sentences(self, rows: Sequence[int]) -> Ints:
        """Return the rows of the sentences of some chunks."""
        first = self._facts.first_sentences
        each = [np.arange(first[row], first[row + 1], dtype=np.int64) for row in rows]
        return np.concatenate([np.empty(0, np.int64), *each])

    def _passage(
        self, row: int, score: float, ranks: dict[str, int], cosine: float, vector: Scores | None
    ) -> Passage:
        """Return a chunk as a passage; without a vector the cosines of its sentences are 0."""
        chunk = self.generation.chunks[row]
        first = int(self._facts.first_sentences[row])
        near = np.zeros(len(chunk.sentences), np.float32)
        if vector is not None:
            near = self.generation.sentence_vectors.rows(self._sentences([row])) @ vector
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
_EXPECTED = 3  # candidates looked at for each passage returned, as a rule at most

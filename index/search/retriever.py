"""Retrieval: dense and lexical lists, fused by rank, then made diverse.

Five lists rank the chunks: the chunk's vector, its best sentence's vector, BM25 over its text, BM25 over its
heading path, and BM25 over the words that the glossary adds. They are fused by rank (`fusion.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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
    """Finds the passages near a query in one generation of the index.

    Attributes:
        generation: the index.
        segmenter: as the index was built with.
        weights: of the lists that are fused.
        admits: whether a chunk of a document may be found; one that may not is in no passage of any method
            but `passage`. It is asked only of chunks that would be found.
    """

    generation: Generation
    segmenter: Segmenter
    weights: Weights = field(default_factory=Weights)
    admits: Callable[[Chunk, Document], bool] = _all

    def __post_init__(self) -> None:
        self._facts = RowFacts(self.generation)
        self._repeats = Repeats(self.generation, self._facts)

    @locked_cached_property
    def _row(self) -> dict[str, int]:
        return {chunk.id: row for row, chunk in enumerate(self.generation.chunks)}

    @property
    def releases(self) -> tuple[Release, ...]:
        """The releases that documents are about, oldest first."""
        return self._facts.releases

    @locked_cached_property
    def newest_told(self) -> Release | None:
        """The newest release that the documents tell of; see `ingest.document.newest_told`."""
        return newest_told(self.generation.documents.values())

    def search(self, query: Query, top_k: int = 8) -> list[Passage]:
        """Find the nearest passages that are admitted, best first, near-duplicates left out.

        Args:
            query: what to look for.
            top_k: at most this many passages; neighbours of one section count as one.
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
        """The passage of the same release that says the same in another language, or None.

        Sections of digests are paired by their ids; elsewhere the nearest chunk counts, if it is near enough,
        first among documents of the same kind.

        Args:
            passage: what to find the other version of.
            language: of the other version.
            vector: what the cosines of its sentences are to; None: the passage.
        """
        chunks, row = self.generation.chunks, self._row[passage.chunk.id]
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
        """The first passage of each section of a release that has one of the statuses."""
        found: dict[tuple[str, int], int] = {}
        for row in self._facts.of_status(self._facts.rows(release), statuses).tolist():
            chunk = self.generation.chunks[row]
            if self._admitted(row):
                found.setdefault((chunk.document_id, chunk.section), row)
        return self._unranked(found.values())

    def openings(self, release: Release) -> list[Passage]:
        """The passages of a release that belong to no status: where its documents sum up what it brings."""
        rows = self._facts.of_status(self._facts.rows(release), [""]).tolist()
        return self._unranked(filter(self._admitted, rows))

    def telling(
        self, name: re.Pattern[str], words: Collection[str], releases: Sequence[Release]
    ) -> Iterator[Release]:
        """Those of some releases with a text that holds some terms and a name.

        Args:
            name: as it is looked for in a text.
            words: terms of the name, by which texts are found without a look at all of them.
        """
        rows = self.generation.terms.holding(words)
        for release in releases if len(rows) else ():
            own = rows[self._facts.mask([release])[rows]].tolist()
            if any(name.search(self._lexical_text(row)) and self._admitted(row) for row in own):
                yield release

    def mentions(self, name: re.Pattern[str], words: Collection[str]) -> Iterator[str]:
        """What a name matches in every text that holds some terms of it."""
        for row in self.generation.terms.holding(words).tolist():
            found = [match[0] for match in name.finditer(self._lexical_text(row))]
            if found and self._admitted(row):
                yield from found

    def passage(self, row: int) -> Passage:
        """A chunk of the generation as a passage that no list found."""
        nowhere = np.zeros(self.generation.chunk_vectors.dimension, np.float32)
        return self._passage(row, 0.0, {}, 0.0, nowhere)

    def said_by(self, vector: Scores, limit: int) -> list[tuple[Release | None, float]]:
        """The sentences nearest to a vector: the release that each tells of, and its cosine, best first."""
        rows, cosines = self.generation.sentence_vectors.search(vector, limit)
        owners = np.searchsorted(self._facts.first_sentences, rows, side="right") - 1
        documents = [self.generation.documents[self.generation.chunks[int(o)].document_id] for o in owners]
        return [(d.release, float(cosine)) for d, cosine in zip(documents, cosines, strict=True)]

    def _admitted(self, row: int) -> bool:
        """Return whether a chunk may be found."""
        chunk = self.generation.chunks[row]
        return self.admits(chunk, self.generation.documents[chunk.document_id])

    def _lexical_text(self, row: int) -> str:
        """Return what is indexed of a chunk for its words."""
        chunk = self.generation.chunks[row]
        return lexical_text(chunk, self.generation.documents[chunk.document_id])

    def _unranked(self, rows: Iterable[int]) -> list[Passage]:
        return [self.passage(row) for row in rows]

    def _rank(self, query: Query) -> Fusion:
        """The five lists, once for the releases asked for and once for the others."""
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
        return fusion

    def _beside(self, task: Callable[[], _Result]) -> Callable[[], _Result]:
        """Begin a task on another core where the index is so large that this is worth a thread."""
        if len(self.generation.sentence_vectors) <= FLAT_LIMIT:
            return task
        return self._threads.submit(task).result

    @locked_cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(thread_name_prefix="torchnotes-vectors")

    def _preference(self, rows: Ints, statuses: Sequence[Status]) -> Scores:
        """What the score of each row is multiplied by."""
        factors = np.ones(len(rows), np.float32)
        for status in statuses:
            factors[np.isin(rows, self._facts.of_status(rows, [status]))] *= self.weights.status
        return factors

    def _scopes(self, query: Query) -> list[tuple[NDArray[np.bool_] | None, float]]:
        """Which chunks to rank, and what each ranking counts: the releases asked for, then the others."""
        if not query.releases:
            return [(None, 1.0)]
        inside = self._facts.mask(query.releases)
        return [(inside, 1.0)] if query.strict else [(inside, 1.0), (~inside, self.weights.other_release)]

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


_COUNTERPART_COSINE = 0.88

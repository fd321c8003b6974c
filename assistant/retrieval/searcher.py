"""Searching: the passages that the notes have on a question, and the sentences of the first of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.query.expansion import QueryExpander
from assistant.query.question import Question
from assistant.reader.reading import Reader
from assistant.retrieval.alignment import TranslationAligner
from assistant.retrieval.decision import decided
from assistant.retrieval.gate_features import GateFeatures, measure
from assistant.retrieval.known_questions import NONE_NEAR, KnownQuestions, NearQuestions
from assistant.retrieval.reading import DEPTH as DEPTH_READ
from assistant.retrieval.reading import NOTHING_READ, Readings
from assistant.retrieval.release_context import ReleaseContext, weight_elsewhere
from assistant.retrieval.relevance import Relevance
from assistant.retrieval.reordering import introductions_first, told_elsewhere
from assistant.retrieval.reranker import DEPTH, rerank
from assistant.retrieval.sentences import Quote, score
from assistant.retrieval.subject import SubjectClassifier
from index.embedding.base import Vectors
from index.search.passage import Passage
from index.search.query import Query
from index.search.retriever import Retriever
from ingest.release import Release

_SCOPE = re.compile(r"[12]\.\d{1,2}|py|torch|pytorch|vs")
_MOST_COMPARED = 4
MAX_PASSAGES = 4
#: Passages that a language model may read, if its context has room for them.
MOST_PASSAGES = 16


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What was found.

    Attributes:
        versions: the passages, in the language of the question where they are there in it, each only once.
        quotes: sentences of the first versions.
        near: known questions that are like the question.
        elsewhere: probability that another release than those named answers.
    """

    passages: Sequence[Passage]
    versions: Sequence[Passage]
    relevance: Relevance
    quotes: Sequence[Quote]
    near: NearQuestions = NONE_NEAR
    elsewhere: float = 0.0

    @property
    def from_digests(self) -> bool:
        """Whether the best passage is of a digest, for which reader and known questions were made."""
        return bool(self.versions) and self.versions[0].document.kind == "digest"

    @property
    def native(self) -> Sequence[Passage]:
        """The first versions, which answers are made of."""
        return self.versions[:MAX_PASSAGES]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What retrieval finds for a question, in its order.

    Attributes:
        near: known questions that are like the question.
        elsewhere: probability that another release than those named answers.
        native: passages in the language of the question where they are there in it.
    """

    question: Question
    passages: Sequence[Passage]
    relevance: Relevance
    near: NearQuestions
    elsewhere: float
    native: Callable[[Sequence[Passage]], list[Passage]]


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches one index.

    Attributes:
        retriever: over the index.
        widener: adds the words of the glossary.
        aligner: finds a passage in the other language.
        subject: tells questions about PyTorch from others; None where it does not know the embedding model.
        reader: reads the first passages together with the question; None decides without.
        known: questions that were written for the digests; None where they do not know the embedding model.
        context: tells a release that the user runs; None where it does not know the embedding model.
    """

    retriever: Retriever
    widener: QueryExpander
    aligner: TranslationAligner
    subject: SubjectClassifier | None = None
    reader: Reader | None = None
    known: KnownQuestions | None = None
    context: ReleaseContext | None = None

    def search(self, asked: Question, vector: Vectors, top_k: int, *, strict: bool) -> SearchResult:
        """The passages, in the order that training gave, and their sentences with scores.

        Args:
            asked: the question.
            vector: embedding of the question, shape (dimension,), unit length.
            top_k: number of passages to return.
            strict: whether other releases than those of the question are left out.
        """
        expansions = self.widener.expansions(asked, vector)
        relevance = self._relevance(asked, expansions)
        near = self._near(vector)
        elsewhere = self.elsewhere(asked, vector)

        def ranked(releases: tuple[Release, ...], strict: bool) -> list[Passage]:
            query = self._query(asked, vector, expansions, near, elsewhere)
            found = self.retriever.search(replace(query, releases=releases, strict=strict), max(top_k, DEPTH))
            return rerank(asked, found, relevance, near, elsewhere)[:top_k]

        named = [release for release in asked.scope.named if release in asked.releases]
        named = named if len(named) > 1 else list(asked.releases)
        if asked.intent == "compare" and 2 <= len(named) <= _MOST_COMPARED:
            # Each release on its own, then by turns: one release must not crowd out the other.
            lists = [ranked((release,), True) for release in named]
            turns = [found[place] for place in range(top_k) for found in lists if place < len(found)]
            passages = turns[:top_k]
        else:
            passages = ranked(asked.releases, strict)
            if asked.intent == "yesno" and asked.releases and not strict:
                passages = told_elsewhere(asked, passages, ranked((), False))[:top_k]
            if asked.intent in ("since", "definition"):
                passages = introductions_first(asked, passages)
        versions = self.aligner.native(passages, asked.language, vector)
        quotes = score(asked, versions[:MAX_PASSAGES], relevance, near)
        return SearchResult(passages, versions, relevance, quotes, near, elsewhere)

    def wider(self, asked: Question, vector: Vectors, *, strict: bool) -> Sequence[Passage]:
        """Return as many passages as a language model may read, best first.

        Args:
            asked: the question. Where it compares the ends of a range, the releases between count as well.
            vector: of the question, of shape (d,).
            strict: whether to leave out releases outside its scope.
        """
        ranged = asked.intent == "compare" and len(asked.scope.named) < len(asked.releases)
        every = replace(asked, intent="fact") if ranged else asked
        return self.search(every, vector, MOST_PASSAGES, strict=strict).passages

    def features(self, asked: Question, found: SearchResult, vector: Vectors) -> dict[str, float]:
        """What the gate sees of a question and of what was found for it.

        Args:
            asked: the question.
            found: what was found for it.
            vector: embedding of the question, shape (dimension,), unit length.
        """
        nearness = self.widener.nearness(vector)
        on_subject = self.subject.log_odds(vector) if self.subject else 0.0
        evidence = GateFeatures(asked, found.passages, nearness, found.relevance, found.quotes, on_subject)
        return measure(evidence, self.retriever.segmenter, self.retriever.generation.terms)

    def read(self, asked: Question, found: SearchResult) -> Readings:
        """Read the first passages, in the language of the question where they are there in it.

        Args:
            asked: the question.
            found: for it.

        Returns:
            Nothing of passages of a kind of document that the reader was not trained for.
        """
        if self.reader is None or not found.from_digests:
            return NOTHING_READ
        versions = [v for v in found.versions[:DEPTH_READ] if v.document.kind in self.reader.kinds]
        return Readings.of(self.reader, asked.searched, versions)

    def probability(self, before: float, threshold: float, found: SearchResult, readings: Readings) -> float:
        """Return the probability that the notes answer, on the scale of the gate.

        Args:
            before: that of the gate.
            threshold: of the gate.
            found: for the question.
            readings: of the first passages.
        """
        near = found.near if found.from_digests else NONE_NEAR
        return decided(before, threshold, near, readings)

    def candidates(self, asked: Question, vector: Vectors) -> Candidates:
        """What a question is answered from; the orders of passages and of sentences are trained on it.

        Args:
            asked: the question.
            vector: embedding of the question, shape (dimension,), unit length.
        """
        expansions = self.widener.expansions(asked, vector)
        near, elsewhere = self._near(vector), self.elsewhere(asked, vector)
        query = self._query(asked, vector, expansions, near, elsewhere)

        def native(passages: Sequence[Passage]) -> list[Passage]:
            return self.aligner.native(passages, asked.language, vector)

        found = self.retriever.search(query, DEPTH)
        return Candidates(asked, found, self._relevance(asked, expansions), near, elsewhere, native)

    def elsewhere(self, asked: Question, vector: Vectors) -> float:
        """Return the probability that another release than those that a question names answers it.

        Args:
            asked: the question.
            vector: of the question, of shape (d,).
        """
        return self.context.elsewhere(vector) if self.context and asked.releases else 0.0

    def _query(
        self,
        asked: Question,
        vector: Vectors,
        expansions: dict[str, float],
        near: NearQuestions,
        elsewhere: float,
    ) -> Query:
        return Query(
            asked.searched,
            vector,
            expansions,
            asked.releases,
            statuses=asked.statuses,
            sections=near.suggested,
            elsewhere=weight_elsewhere(elsewhere, self.retriever.weights.other_release),
        )

    def _near(self, vector: Vectors) -> NearQuestions:
        return self.known.near(vector) if self.known else NONE_NEAR

    def _relevance(self, asked: Question, expansions: dict[str, float]) -> Relevance:
        # Every sentence about a release names it: that tells none of them from the others.
        segmenter = self.retriever.segmenter
        typed = [term for term in segmenter.terms(asked.searched) if not _SCOPE.fullmatch(term)]
        generation = self.retriever.generation

        def nearness(one: int, other: int) -> float:
            left, right = generation.sentence_vectors.rows(np.array([one, other], np.int64))
            return float(left @ right)

        return Relevance.of(typed, expansions, generation.terms.idf, segmenter.vocabulary, nearness)

"""The assistant: question in, cited answer out."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from assistant.answer import Answer
from assistant.arguments import check_history, check_options, check_question, check_releases
from assistant.compose import compose, decline
from assistant.crosslingual import Bridge, without_foreign
from assistant.extract import Pick, Relevance, best_first, choose, distinct, without_summaries
from assistant.feature import Histories
from assistant.gate import Evidence, Gate, entities, load_gate, measure
from assistant.gather import gather
from assistant.history import histories
from assistant.life import beside, life
from assistant.pinyin import Pinyin
from assistant.question import Question, understand
from assistant.releases import ReleaseScope
from assistant.spelling import Spelling
from assistant.widening import Widener
from corpus.glossary import Glossary
from index.embedder import Embedder, Vectors
from index.passage import Passage
from index.retriever import Query, Retriever
from ingest.document import Language
from ingest.release import Release
from ingest.segment import Segmenter

_SCOPE = re.compile(r"[12]\.\d{1,2}|py|torch|pytorch|vs")
_WIDENED = 0.3  # weight of an added term against a typed one, when sentences are chosen
_MOST_COMPARED = 4
_CLOSE = 0.6  # of the best passage's score


@dataclass
class Assistant:
    """Answers questions from one index.

    Attributes:
        retriever: over the generation of the index to answer from.
        embedder: the one that the index was built with.
        segmenter, glossary: as the index was built with.
        gate: decides when to decline.
    """

    retriever: Retriever
    embedder: Embedder
    segmenter: Segmenter
    glossary: Glossary
    gate: Gate | None = None

    def __post_init__(self) -> None:
        self._widener = Widener(self.glossary, self.embedder, self.segmenter)
        self._bridge = Bridge(self.retriever)
        self._histories: Histories | None = None
        terms = self.retriever.generation.terms

        def known(word: str) -> bool:
            return any(term in terms for term in self.segmenter.terms(word))

        self._pinyin = Pinyin(self.segmenter.frequencies, terms.__contains__)
        self._spelling = Spelling(self.glossary, known)

    def ask(
        self,
        question: str,
        history: Sequence[str] = (),
        *,
        releases: Sequence[str | Release] | None = None,
        language: Language | None = None,
        top_k: int = 8,
    ) -> Answer:
        """Answer a question from the notes.

        Args:
            question: in Chinese or English.
            history: earlier questions of the conversation, oldest first.
            releases: look in these only; None: those that the question names, or all.
            language: of the answer; None: that of the question.
            top_k: passages to return.

        Raises:
            TorchnotesError: an argument cannot be used; the message says what can.
        """
        found = self._find(question, history, releases, language, top_k)
        return self._tell(found, found.picks)

    def stream(
        self,
        question: str,
        history: Sequence[str] = (),
        *,
        releases: Sequence[str | Release] | None = None,
        language: Language | None = None,
        top_k: int = 8,
    ) -> Iterator[Answer]:
        """As `ask`, the answer growing by one group of sentences at a time; the last one is whole.

        Each is composed when it is asked for: the first does not wait for the rest.
        """
        found = self._find(question, history, releases, language, top_k)
        for count in range(1, len(found.picks)):
            yield self._tell(found, found.picks[:count])
        yield self._tell(found, found.picks)

    def _find(
        self,
        question: str,
        history: Sequence[str],
        releases: Sequence[str | Release] | None,
        language: Language | None,
        top_k: int,
    ) -> _Found:
        """Everything but the words of the answer."""
        check_question(question)
        history = check_history(history)
        check_options(language, top_k)
        only = check_releases(releases, self.retriever.releases)
        watch = _Watch()
        with watch("understand"):
            asked = self._understand(question, history)
            asked = replace(
                asked,
                language=language or asked.language,
                scope=ReleaseScope(only, only, ()) if only else asked.scope,
            )
        if not asked.has_words:
            return _Found(asked, (), (), watch)
        with watch("embed"):
            vector = self.embedder.encode_query(asked.standalone)
        with watch("retrieve"):
            expansions = self._widener.expansions(asked, vector)
            passages = self._retrieve(asked, vector, expansions, top_k, strict=bool(only))
        with watch("gate"):
            told = life(asked, self.retriever, self.glossary, self.histories, strict=bool(only))
            gathered = told or gather(asked, self.retriever)
            gate = self.gate or load_gate()
            held = self._held(asked)
            closed = not held or (gathered and not told) or not passages
            opens = not closed and gate.opens(self._features(asked, passages, vector))
        with watch("extract"):
            usual = self._picks(asked, passages, expansions, vector) if opens else []
            picks = [*told, *beside(asked, usual)] if told else gathered or usual
        return _Found(asked, passages, picks if held else [], watch)

    def histories(self) -> Histories:
        """The lives of the features that the index tells of; made when first asked for."""
        if self._histories is None:
            generation = self.retriever.generation
            self._histories = histories(generation.documents, generation.chunks, self.glossary)
        return self._histories

    def features(self, question: str, history: Sequence[str] = ()) -> dict[str, float]:
        """What the gate sees of a question; it is trained on these."""
        asked = self._understand(question, history)
        vector = self.embedder.encode_query(asked.standalone)
        expansions = self._widener.expansions(asked, vector)
        return self._features(asked, self._retrieve(asked, vector, expansions, 8, strict=False), vector)

    def _tell(self, found: _Found, picks: Sequence[Pick]) -> Answer:
        """The answer of some of the picks; a decline where there are none."""
        asked, passages = found.asked, found.passages
        with found.watch("compose"):
            if picks:
                text, citations = compose(asked, picks, self.glossary)
            else:
                text, citations = decline(asked, passages, self.retriever.releases)
            fresh = [c.passage for c in citations if c.passage.chunk.id not in found.pairs]
            found.pairs.update(self._bridge.pairs(fresh))
            citations = tuple(replace(c, paired=found.pairs[c.passage.chunk.id]) for c in citations)
        spoken = {c.passage.release for c in citations if c.passage.release}
        return Answer(
            question=asked.text,
            standalone=asked.standalone,
            text=text,
            language=asked.language,
            abstained=not picks,
            citations=citations,
            passages=tuple(passages),
            releases=tuple(sorted(spoken)),
            timings=dict(found.watch.seconds),
        )

    def _understand(self, question: str, history: Sequence[str]) -> Question:
        """Read a question, pinyin as Chinese, slips in its names set right."""
        *earlier, text = (self._spelling.right(self._pinyin.read(words)) for words in (*history, question))
        asked = understand(text, earlier, known=self.retriever.releases, glossary=self.glossary)
        return replace(asked, text=question)

    def _held(self, asked: Question) -> bool:
        """Whether any document is about a release asked for; nothing else can answer for a release."""
        return not asked.releases or any(r in self.retriever.releases for r in asked.releases)

    def _retrieve(
        self, asked: Question, vector: Vectors, expansions: dict[str, float], top_k: int, *, strict: bool
    ) -> list[Passage]:
        def search(releases: tuple[Release, ...], strict: bool) -> list[Passage]:
            query = Query(asked.standalone, vector, expansions, releases, strict, asked.statuses)
            return self.retriever.search(query, top_k)

        named = asked.scope.named if len(asked.scope.named) > 1 else asked.releases
        if asked.intent == "compare" and 2 <= len(named) <= _MOST_COMPARED:
            # Each release on its own, then by turns: one release must not crowd out the other.
            lists = [search((release,), True) for release in named]
            turns = [found[place] for place in range(top_k) for found in lists if place < len(found)]
            return turns[:top_k]
        found = search(asked.releases, strict)
        return introductions_first(asked, found) if asked.intent in ("since", "definition") else found

    def _features(self, asked: Question, passages: Sequence[Passage], vector: Vectors) -> dict[str, float]:
        evidence = Evidence(asked, passages, self._widener.nearness(vector))
        return measure(evidence, self.segmenter, self.retriever.generation.terms)

    def _picks(
        self, asked: Question, passages: Sequence[Passage], expansions: dict[str, float], vector: Vectors
    ) -> list[Pick]:
        # Every sentence about a release names it: that tells none of them from the others.
        typed = [term for term in self.segmenter.terms(asked.standalone) if not _SCOPE.fullmatch(term)]
        terms = dict.fromkeys(typed, 1.0)
        terms.update({term: _WIDENED * w for term, w in expansions.items() if term not in terms})
        generation = self.retriever.generation

        def nearness(one: int, other: int) -> float:
            left, right = generation.sentence_vectors.rows(np.array([one, other], np.int64))
            return float(left @ right)

        relevance = Relevance(terms, generation.terms.idf, self.segmenter.terms, nearness)
        picks = choose(asked, self._bridge.native(passages, asked.language, vector), relevance)
        native = [self._bridge.across(pick, asked.language) for pick in picks]
        told = without_foreign(distinct(native), asked.language)
        return without_summaries(best_first(asked.intent, told))


def introductions_first(asked: Question, passages: Sequence[Passage]) -> list[Passage]:
    """For "what is" and "since when": sections that introduce what is asked, the earliest release first."""
    names = entities(asked)

    def introduces(passage: Passage) -> bool:
        heading = (passage.chunk.headings or ("",))[-1].casefold()
        named = bool(names) and all(any(name in heading for name in spellings) for spellings in names)
        close = passage.score >= _CLOSE * passages[0].score
        return named and close and passage.status in ("stable", "beta", "prototype", "unstable", "new")

    first = sorted(
        (p for p in passages if introduces(p) and p.release), key=lambda p: p.release or Release(0, 0)
    )
    return [*first, *(p for p in passages if p not in first)]


class _Watch:
    """Seconds by stage, of a stage that comes again their sum."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class _Found:
    """What an answer is composed of.

    Attributes:
        pairs: passages in the other language, found so far, by the id of the chunk.
    """

    asked: Question
    passages: Sequence[Passage]
    picks: Sequence[Pick]
    watch: _Watch
    pairs: dict[str, Passage | None] = field(default_factory=dict)

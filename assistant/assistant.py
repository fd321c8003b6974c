"""The assistant: question in, cited answer out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from assistant.answer import Answer
from assistant.arguments import check_history, check_options, check_question, check_releases
from assistant.compose import compose, decline
from assistant.crosslingual import Bridge, without_foreign
from assistant.extract import Pick, best_first, choose, distinct, without_summaries
from assistant.feature import Histories
from assistant.gate import Gate, load_gate
from assistant.gather import gather
from assistant.history import histories
from assistant.life import beside, life
from assistant.pinyin import Pinyin
from assistant.question import Question, understand
from assistant.releases import ReleaseScope
from assistant.search import Candidates, Found, Searcher
from assistant.spelling import Spelling
from assistant.widening import Widener
from corpus.glossary import Glossary
from index.embedder import Embedder
from index.passage import Passage
from index.retriever import Retriever
from ingest.document import Language
from ingest.release import Release
from ingest.segment import Segmenter

_PASSAGES = 8
#: Probabilities of an answer between which a question that stands alone is read as a follow-up as well: one
#: below is about something else, one above needs nothing.
_DOUBTED = (0.45, 0.95)


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
        widener = Widener(self.glossary, self.embedder, self.segmenter)
        self._bridge = Bridge(self.retriever)
        self._searcher = Searcher(self.retriever, widener, self._bridge)
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
        top_k: int = _PASSAGES,
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
        top_k: int = _PASSAGES,
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

        def read(leans: bool | None = None) -> Question:
            with watch("understand"):
                asked = self._understand(question, history, leans)
                scope = ReleaseScope(only, only, ()) if only else asked.scope
                return replace(asked, language=language or asked.language, scope=scope)

        asked = read()
        if not asked.has_words:
            return _Found(asked, (), (), watch)
        view = self._look(asked, top_k, bool(only), watch)
        if _may_lean(asked, history, only) and _DOUBTED[0] <= view.probability < _DOUBTED[1]:
            leaning = read(leans=True)
            joined = self._look(leaning, top_k, bool(only), watch)
            if joined.probability > view.probability:
                asked, view = leaning, joined
        return self._decide(asked, view, bool(only), watch)

    def _look(self, asked: Question, top_k: int, strict: bool, watch: _Watch) -> _View:
        """What is found for a reading of a question, and how likely it is an answer."""
        with watch("embed"):
            vector = self.embedder.encode_query(asked.standalone)
        with watch("retrieve"):
            search = self._searcher.search(asked, vector, top_k, strict=strict)
        with watch("gate"):
            gate = self.gate or load_gate()
            return _View(
                search, gate.probability(self._searcher.features(asked, search, vector)), gate.threshold
            )

    def _decide(self, asked: Question, view: _View, strict: bool, watch: _Watch) -> _Found:
        """The sentences of the answer, none where the question is declined."""
        with watch("gate"):
            told = life(asked, self.retriever, self.glossary, self.histories, strict=strict)
            gathered = told or gather(asked, self.retriever)
            held = self._held(asked)
            closed = not held or (gathered and not told) or not view.search.passages
            opens = not closed and view.probability >= view.threshold
        with watch("extract"):
            usual = self._picks(asked, view.search) if opens else []
            picks = [*told, *beside(asked, usual)] if told else gathered or usual
        return _Found(asked, view.search.passages, picks if held else [], watch)

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
        found = self._searcher.search(asked, vector, _PASSAGES, strict=False)
        return self._searcher.features(asked, found, vector)

    def candidates(self, question: str, history: Sequence[str] = ()) -> Candidates:
        """What a question is answered from; the orders of passages and of sentences are trained on it."""
        asked = self._understand(question, history)
        return self._searcher.candidates(asked, self.embedder.encode_query(asked.standalone))

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

    def _understand(self, question: str, history: Sequence[str], leans: bool | None = None) -> Question:
        """Read a question, pinyin as Chinese, slips in its names set right."""
        *earlier, text = (self._spelling.right(self._pinyin.read(words)) for words in (*history, question))
        known = self.retriever.releases
        asked = understand(text, earlier, known=known, glossary=self.glossary, leans=leans)
        return replace(asked, text=question)

    def _held(self, asked: Question) -> bool:
        """Whether any document is about a release asked for; nothing else can answer for a release."""
        return not asked.releases or any(r in self.retriever.releases for r in asked.releases)

    def _picks(self, asked: Question, search: Found) -> list[Pick]:
        picks = choose(asked, search.native, search.relevance, search.quotes)
        native = [self._bridge.across(pick, asked.language) for pick in picks]
        told = without_foreign(distinct(native), asked.language)
        return without_summaries(best_first(asked.intent, told))


def _may_lean(asked: Question, history: Sequence[str], only: Sequence[Release]) -> bool:
    """Whether a question may need those before it though no word of it says so.

    Args:
        only: releases chosen beside the question; those it does not name itself.
    """
    alone = asked.standalone == asked.clean and (bool(only) or not asked.scope.named)
    return bool(history) and alone and asked.intent != "since"  # "which release" asks of all of them


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
class _View:
    """What one reading of a question finds, the probability that it answers, and the least that is enough."""

    search: Found
    probability: float
    threshold: float


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

"""The assistant: question in, cited answer out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assistant.answer import Answer
from assistant.answering.announced import announced
from assistant.answering.compose import unheld, unmentioned
from assistant.answering.plan import AnswerPlan, SearchView, StageTimer
from assistant.answering.responder import SURE, Responder
from assistant.answering.selection import best_first, choose, distinct, without_summaries
from assistant.answering.status_listing import gather
from assistant.answering.unmentioned import UnmentionedEntity, unmentioned_entities
from assistant.query.expansion import QueryExpander
from assistant.query.newest_release import newest, up_to
from assistant.query.pinyin import Pinyin
from assistant.query.question import Question, may_lean, understand
from assistant.query.release_scope import ReleaseScope
from assistant.query.spelling import Spelling
from assistant.query.validation import check_history, check_options, check_question, check_releases
from assistant.retrieval.alignment import TranslationAligner, without_foreign
from assistant.retrieval.gate import Gate, load_gate
from assistant.retrieval.pick import Pick
from assistant.retrieval.searcher import Candidates, Searcher, SearchResult
from assistant.text.messages import MODEL_FAILED
from assistant.text.prompt_injection import trusted
from assistant.timeline.builder import histories
from assistant.timeline.model import Histories
from assistant.timeline.status_timeline import beside, life
from assistant.verification.evidence import TextMatcher
from corpus.glossary import Glossary
from index.embedding.base import Embedder
from index.search.passage import Passage
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.errors import LanguageModelError
from ingest.language import detect_language
from ingest.release import Release
from ingest.segment import Segmenter

if TYPE_CHECKING:  # what only a language model needs stays out of the way of a question
    from assistant.llm.client import LanguageModel
    from assistant.llm.writer import Writer
    from assistant.verification.verifier import Verifier

_PASSAGES = 8
_NEIGHBOURS = 10  # sentences of the whole index that a statement is compared with
#: Probabilities of an answer between which a question that stands alone is read as a follow-up as well: one
#: below is about something else, one above needs nothing.
_DOUBTED = (0.45, SURE)


@dataclass
class Assistant:
    """Answers questions from one index.

    Attributes:
        retriever: over the generation of the index to answer from.
        embedder: the one that the index was built with.
        segmenter, glossary: as the index was built with.
        gate: decides when to decline.
        model: writes answers from what is found; None: they are sentences of the notes.
    """

    retriever: Retriever
    embedder: Embedder
    segmenter: Segmenter
    glossary: Glossary
    gate: Gate | None = None
    model: LanguageModel | None = None

    def __post_init__(self) -> None:
        widener = QueryExpander(self.glossary, self.embedder, self.segmenter)
        self._bridge = TranslationAligner(self.retriever)
        self._reading = TextMatcher(self.segmenter.vocabulary, self.glossary)
        self._teller = Responder(self._bridge, self.glossary, self._reading, self.retriever.releases)
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
        use_model: bool = True,
        unfiltered: bool = False,
    ) -> Answer:
        """Answer a question from the notes.

        Args:
            question: in Chinese or English.
            history: earlier questions of the conversation, oldest first; the last 8 are read, of 8,000
                characters together.
            releases: look in these only; None: those that the question names, or all.
            language: of the answer; None: that of the question.
            top_k: passages to return, at most 50.
            use_model: let the language model write, where there is one.
            unfiltered: keep what it wrote without proof, marked as such.

        Raises:
            TorchnotesError: an argument cannot be used; the message says what can.
        """
        writer = self.writer if use_model else None
        found = self._find(question, history, releases, language, top_k, writer)
        *_, answer = self._teller.answers(found, writer, unfiltered=unfiltered, growing=False)
        return answer

    def stream(
        self,
        question: str,
        history: Sequence[str] = (),
        *,
        releases: Sequence[str | Release] | None = None,
        language: Language | None = None,
        top_k: int = _PASSAGES,
        use_model: bool = True,
        unfiltered: bool = False,
    ) -> Iterator[Answer]:
        """As `ask`, the answer growing; the last one is whole. Closing the iterator ends the model's work.

        Without a language model it grows by one group of sentences at a time, the first without waiting for
        the rest. With one it grows by each sentence that is proved; `pending` is what is being written.
        """
        writer = self.writer if use_model else None
        found = self._find(question, history, releases, language, top_k, writer)
        yield from self._teller.answers(found, writer, unfiltered=unfiltered, growing=True)

    def _find(
        self,
        question: str,
        history: Sequence[str],
        releases: Sequence[str | Release] | None,
        language: Language | None,
        top_k: int,
        writer: Writer | None,
    ) -> AnswerPlan:
        """Everything but the words of the answer."""
        check_question(question)
        history = check_history(history)
        check_options(language, top_k)
        only = check_releases(releases, self.retriever.releases)
        watch, notice = StageTimer(), ""
        alone = ""
        if history and writer:
            from assistant.llm.query_rewriter import rewrite

            spoken = detect_language(question)
            try:
                with watch("rewrite"):
                    alone = rewrite(writer.model, question, history, spoken)
            except LanguageModelError as error:
                notice = MODEL_FAILED[language or spoken].format(reason=error)
                writer = None

        def read(leans: bool | None = None) -> Question:
            with watch("understand"):
                asked = self._understand(alone or question, () if alone else history, leans)
                scope = ReleaseScope(only, only, ()) if only else asked.scope
                return replace(asked, text=question, language=language or asked.language, scope=scope)

        asked = read()
        if not asked.has_words:
            return AnswerPlan(asked, (), (), watch)
        view = self._look(asked, top_k, bool(only), watch)
        doubted = _DOUBTED[0] <= view.probability < _DOUBTED[1]
        if not alone and may_lean(asked, history, only) and doubted:
            leaning = read(leans=True)
            joined = self._look(leaning, top_k, bool(only), watch)
            if joined.probability > view.probability:
                asked, view = leaning, joined
        found = self._decide(asked, view, bool(only), watch)
        return replace(found, notice=notice, view=None) if notice else found

    def _look(self, asked: Question, top_k: int, strict: bool, watch: StageTimer) -> SearchView:
        """What is found for a reading of a question, and how likely it is an answer."""
        with watch("embed"):
            vector = self.embedder.encode_query(asked.standalone)
        with watch("retrieve"):
            search = self._searcher.search(asked, vector, top_k, strict=strict)
        with watch("gate"):
            gate = self.gate or load_gate()
            probability = gate.probability(self._searcher.features(asked, search, vector))
        return SearchView(search, vector, probability, gate.threshold)

    def _decide(self, asked: Question, view: SearchView, strict: bool, watch: StageTimer) -> AnswerPlan:
        """The sentences of the answer, none where the question is declined."""
        with watch("gate"):
            held = self._held(asked)
            told = life(asked, self.retriever, self.glossary, self.histories, strict=strict) if held else []
            gathered = told or (gather(asked, self.retriever) if held else [])
            silent = unmentioned_entities(asked, self.retriever, self.glossary) if held else ()
            mute = any(each.final for each in silent)
            closed = mute or (gathered and not told) or not view.search.passages
            opens = not closed and (not held or view.probability >= view.threshold)
        with watch("extract"):
            usual = self._picks(asked, view.search) if opens else []
            picks = [*told, *beside(asked, usual)] if told else gathered or usual
            picks = [pick for pick in picks if trusted(pick.passage)] if not mute else []
        passages = view.search.passages
        if mute and not strict and any(each.told for each in silent):
            with watch("retrieve"):
                passages = self._elsewhere(asked, silent, view)
        prose = picks and held and not told and not gathered
        notice = unmentioned(asked, silent, self.retriever.releases) if silent and picks else ""
        notice = notice or (unheld(asked) if picks and not held else up_to(asked, self.retriever))
        view_of_prose = view if prose else None
        return AnswerPlan(asked, passages, picks, watch, view_of_prose, silent=silent, notice=notice)

    def _elsewhere(
        self, asked: Question, silent: Sequence[UnmentionedEntity], view: SearchView
    ) -> Sequence[Passage]:
        """The passages of the releases that mention what those asked for do not."""
        told = tuple(sorted({release for each in silent for release in each.told}))
        there = replace(asked, scope=ReleaseScope((), told, ()))
        return self._searcher.search(there, view.vector, len(view.search.passages), strict=True).passages

    @cached_property
    def writer(self) -> Writer | None:
        """Writes answers, where there is a language model."""
        from assistant.llm.writer import Writer

        return Writer(self.model, self.verifier, self.embedder.count_tokens) if self.model else None

    @cached_property
    def verifier(self) -> Verifier:
        """Proves statements by passages of this index."""
        from assistant.verification.verifier import Verifier

        return Verifier(
            self.embedder.encode_passing,
            lambda rows: self.retriever.generation.sentence_vectors.rows(np.asarray(rows, np.int64)),
            lambda vector: self.retriever.said_by(vector, _NEIGHBOURS),
            self._reading,
        )

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

    def is_unmentioned(self, question: str, history: Sequence[str] = ()) -> bool:
        """Whether a question names what is not mentioned, so that the gate has no say; see `silences`."""
        silent = unmentioned_entities(self._understand(question, history), self.retriever, self.glossary)
        return any(each.final for each in silent)

    def candidates(self, question: str, history: Sequence[str] = ()) -> Candidates:
        """What a question is answered from; the orders of passages and of sentences are trained on it."""
        asked = self._understand(question, history)
        return self._searcher.candidates(asked, self.embedder.encode_query(asked.standalone))

    def _understand(self, question: str, history: Sequence[str], leans: bool | None = None) -> Question:
        """Read a question, pinyin as Chinese, slips in its names set right."""
        *earlier, text = (self._spelling.right(self._pinyin.read(words)) for words in (*history, question))
        asked = understand(text, earlier, known=self.retriever.releases, glossary=self.glossary, leans=leans)
        return newest(replace(asked, text=question), self.retriever)

    def _held(self, asked: Question) -> bool:
        """Whether any document is about a release asked for; nothing else can answer for a release."""
        return not asked.releases or any(r in self.retriever.releases for r in asked.releases)

    def _picks(self, asked: Question, search: SearchResult) -> list[Pick]:
        if self._held(asked):
            picks = choose(asked, search.native, search.relevance, search.quotes)
        else:
            picks = announced(asked, search)
        native = [self._bridge.across(pick, asked.language) for pick in picks]
        told = without_foreign(distinct(native), asked.language)
        return without_summaries(best_first(asked.intent, told))

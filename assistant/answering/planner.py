"""Plans answers: everything from a question to the sentences of its answer, before composing the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from assistant.answering.aspect import FollowUpSelector
from assistant.answering.broad_answer import BroadAnswer, BroadSources
from assistant.answering.broad_answers import broad_answer
from assistant.answering.decline import unheld, unmentioned
from assistant.answering.narrow_answer import narrow_answer
from assistant.answering.part_search import PartSearch
from assistant.answering.plan import AnswerPlan, AskRequest, Examination, SearchView, StageTimer
from assistant.answering.platform_support import platform_support
from assistant.answering.rewriting import rewritten, without_model
from assistant.answering.status_verdict import with_status_verdict
from assistant.answering.turns import TurnReader
from assistant.answering.unmentioned import UnmentionedEntity, cured_elsewhere, unmentioned_entities
from assistant.answering.verdict import measured
from assistant.query.acts import load_phrases
from assistant.query.entities import entities
from assistant.query.expansion import QueryExpander
from assistant.query.newest_release import newest, up_to
from assistant.query.pinyin import Pinyin
from assistant.query.question import Question, may_lean, understand
from assistant.query.question_language import question_language
from assistant.query.release_scope import ReleaseScope
from assistant.query.spelling import Spelling
from assistant.reader.reading import Reader
from assistant.retrieval.alignment import TranslationAligner
from assistant.retrieval.gate import Gate
from assistant.retrieval.known_questions import KnownQuestions
from assistant.retrieval.pick import Pick
from assistant.retrieval.reading import NOTHING_READ
from assistant.retrieval.release_context import load_release_context
from assistant.retrieval.searcher import Candidates, Searcher
from assistant.retrieval.subject import load_subject
from assistant.text.prompt_injection import only_instructs, trusted
from assistant.timeline.builder import histories
from assistant.timeline.model import Histories
from assistant.timeline.status_timeline import beside, life
from corpus.glossary import Glossary
from index.embedding.base import Embedder
from index.search.passage import Passage
from index.search.retriever import Retriever
from ingest.locked_property import locked_cached_property
from ingest.segment import Segmenter

if TYPE_CHECKING:  # imported late, to keep questions fast without a language model
    from assistant.llm.client import LanguageModel

#: Default number of passages.
PASSAGES = 8
#: Probabilities of an answer between which a standalone question is also tried as a follow-up. Below, it is
#: off topic; above, it is answered as it is.
_DOUBTED = (0.45, 0.9)


@dataclass
class Planner:
    """Plans answers from one index.

    Attributes:
        retriever: searches one generation of the index.
        embedder: the embedder that the index was built with.
        segmenter: the segmenter that the index was built with.
        glossary: the glossary that the index was built with.
        aligner: finds counterparts of passages in the other language.
        reader: reads passages together with the question; None decides without.
        known: questions whose sections are known; None decides without.
    """

    retriever: Retriever
    embedder: Embedder
    segmenter: Segmenter
    glossary: Glossary
    aligner: TranslationAligner
    reader: Reader | None = None
    known: KnownQuestions | None = None

    def __post_init__(self) -> None:
        expander = QueryExpander(self.glossary, self.embedder, self.segmenter)
        trained = load_subject()
        self._subject = trained if trained.embedder == self.embedder.name else None
        context = load_release_context(self.embedder.name)
        self._searcher = Searcher(
            self.retriever, expander, self.aligner, self._subject, self.reader, self.known, context
        )
        self._parts = PartSearch(self._searcher, self.embedder, self._alone)
        terms = self.retriever.generation.terms

        def known(word: str) -> bool:
            return any(term in terms for term in self.segmenter.terms(word))

        self.turns = TurnReader(load_phrases(), self.embedder, self.retriever, self._subject, self._alone)
        self._follow_ups = FollowUpSelector(self.embedder, self.retriever, self._alone)
        self._pinyin = Pinyin(self.segmenter.frequencies, terms.__contains__)
        self._spelling = Spelling(self.glossary, known)

    def plan(self, request: AskRequest, gate: Gate, model: LanguageModel | None) -> AnswerPlan:
        """Plan the answer to a question.

        Args:
            request: validated arguments.
            gate: decides whether to decline.
            model: language model that rewrites a follow-up as a standalone question; None uses rules.

        Returns:
            The plan. Its `view` is None if no language model can write the answer, which includes that the
            model failed to rewrite the question.
        """
        found = self._plan(request, gate, model)
        asked = found.asked
        if not (found.picks and request.history) or asked.standalone == asked.clean:
            return found
        *earlier, last = request.history
        before = replace(request, question=last, history=earlier, language=asked.language)
        return replace(found, picks=self._follow_ups.select(found, self._plan(before, gate, None)))

    def _plan(self, request: AskRequest, gate: Gate, model: LanguageModel | None) -> AnswerPlan:
        """Plan the answer to a question, which may repeat sentences of the answer before."""
        only, language = request.only, request.language or question_language(request.question)
        watch = StageTimer()
        alone, errors = rewritten(request, model, watch)
        turn = self.turns.read(request.question)
        earlier = () if alone or turn.stands_alone else request.history

        def read(leans: bool | None = None) -> Question:
            with watch("understand"):
                asked = self.understand(alone or request.question, earlier, leans)
                scope = ReleaseScope(only, only, ()) if only else asked.scope
                return replace(asked, text=request.question, language=language, scope=scope)

        asked = read()
        if not asked.has_words:
            return AnswerPlan(asked, (), (), watch)
        if only_instructs(request.question) and not entities(asked):
            return AnswerPlan(asked, (), (), watch, off_subject=True)
        told, broad = self._whole(asked, bool(only))
        view = self._look(asked, request.top_k, gate, bool(only), watch, reads=not broad.picks)
        doubted = _DOUBTED[0] <= view.unread < _DOUBTED[1]
        if may_lean(asked, earlier, only) and doubted:
            leaning = read(leans=True)
            joined = self._look(leaning, request.top_k, gate, bool(only), watch)
            if joined.probability > view.probability:
                asked, view = leaning, joined
                told, broad = self._whole(asked, bool(only))
        if not broad.picks and self._held(asked):
            sources = BroadSources(self.retriever, self.histories)
            platforms = platform_support(asked, view.search.passages, sources)
            told, broad = ((), platforms) if platforms else (told, broad)
        found = self._decide(asked, view, told, broad, bool(only), watch)
        narrow = not (broad.picks or told)
        if turn.off_topic and (not found.picks or (narrow and view.unread < view.threshold)):
            return AnswerPlan(asked, (), (), watch, off_subject=True)
        return without_model(found, errors, language)

    def understand(self, question: str, history: Sequence[str], leans: bool | None = None) -> Question:
        """Parse a question after converting pinyin and correcting misspelled names.

        Args:
            question: question as typed.
            history: earlier questions of the conversation, oldest first.
            leans: whether the question depends on the earlier ones; None decides by its words.
        """
        *earlier, text = (self._spelling.right(self._pinyin.read(words)) for words in (*history, question))
        asked = understand(text, earlier, known=self.retriever.releases, glossary=self.glossary, leans=leans)
        asked = replace(asked, text=question, language=question_language(question))
        return newest(asked, self.retriever)

    def histories(self) -> Histories:
        """Return the status histories of all features in the index, built once."""
        return self._histories

    def examine(self, question: str, history: Sequence[str]) -> Examination:
        """Search, and measure and read what was found.

        Args:
            question: question as typed.
            history: earlier questions of the conversation, oldest first.
        """
        asked = self.understand(question, history)
        vector = self.embedder.encode_query(asked.searched)
        found = self._searcher.search(asked, vector, PASSAGES, strict=False)
        features, readings = self._searcher.features(asked, found, vector), self._searcher.read(asked, found)
        picks = narrow_answer(asked, SearchView(found, vector, 1.0, 0.0, 1.0, tuple, readings), self.aligner)
        return Examination(asked, found, features, readings, measured(asked, picks, readings))

    def is_unmentioned(self, question: str, history: Sequence[str]) -> bool:
        """Check whether a question is declined because its releases do not mention what it names.

        Args:
            question: question as typed.
            history: earlier questions of the conversation, oldest first.
        """
        silent = unmentioned_entities(self.understand(question, history), self.retriever, self.glossary)
        return any(each.final for each in silent)

    def candidates(self, question: str, history: Sequence[str]) -> Candidates:
        """Return the passages on which the passage and sentence rankers are trained.

        Args:
            question: question as typed.
            history: earlier questions of the conversation, oldest first.
        """
        asked = self.understand(question, history)
        return self._searcher.candidates(asked, self.embedder.encode_query(asked.searched))

    @locked_cached_property
    def _histories(self) -> Histories:
        generation = self.retriever.generation
        return histories(generation.documents, generation.chunks, self.glossary)

    def _whole(self, asked: Question, strict: bool) -> tuple[Sequence[Pick], BroadAnswer]:
        """Look up a history, or else the answer to a broad question; neither needs a search."""
        if not self._held(asked):
            return (), BroadAnswer(())
        told, found = life(asked, self.retriever, self.glossary, self.histories, strict=strict)
        told = with_status_verdict(asked, told, found, self.retriever.releases[-1]) if told else told
        broad = None if told else broad_answer(asked, BroadSources(self.retriever, self.histories))
        return told, broad or BroadAnswer(())

    def _look(
        self, asked: Question, top_k: int, gate: Gate, strict: bool, watch: StageTimer, *, reads: bool = True
    ) -> SearchView:
        """Search for one reading of a question; `strict` leaves out releases outside its scope."""
        with watch("embed"):
            vector = self.embedder.encode_query(asked.searched)
        with watch("retrieve"):
            search = self._searcher.search(asked, vector, top_k, strict=strict)
        with watch("gate"):
            before = gate.probability(self._searcher.features(asked, search, vector))
            readings = self._searcher.read(asked, search) if reads else NOTHING_READ
            probability = self._searcher.probability(before, gate.threshold, search, readings)
        wider = partial(self._parts.wider, asked, vector, strict=strict)
        return SearchView(search, vector, probability, gate.threshold, before, wider, readings)

    def _decide(
        self,
        asked: Question,
        view: SearchView,
        told: Sequence[Pick],
        broad: BroadAnswer,
        strict: bool,
        watch: StageTimer,
    ) -> AnswerPlan:
        """Decide whether to answer, and choose the sentences."""
        with watch("gate"):
            held = self._held(asked)
            silent = unmentioned_entities(asked, self.retriever, self.glossary) if held else ()
            answers = view.probability >= view.threshold
            mute = any(each.final for each in silent) and not (
                answers and cured_elsewhere(view.search, silent)
            )
            closed = mute or bool(broad.picks) or not view.search.passages
            opens = not closed and (not held or answers)
        with watch("extract"):
            usual = narrow_answer(asked, view, self.aligner, held=held) if opens else []
            picks = [*told, *beside(asked, usual)] if told else broad.picks or usual
            picks = [pick for pick in picks if trusted(pick.passage)] if not mute else []
        passages = view.search.passages
        if mute and not strict and any(each.told for each in silent):
            with watch("retrieve"):
                passages = self._elsewhere(asked, silent, view)
        notices = (
            unmentioned(asked, silent, self.retriever.releases) if silent and picks else "",
            unheld(asked) if picks and asked.scope.unknown and (broad.picks or not held) else "",
            broad.notice if picks else "",
            up_to(asked, self.retriever),
        )
        return AnswerPlan(
            asked,
            [passage for passage in passages if trusted(passage)],  # after passages of a section were joined
            picks,
            watch,
            view=view if held and not (told or closed) and (picks or view.worth_asking) else None,
            silent=silent,
            notices=tuple(filter(None, notices)),
            opening=broad.opening,
            closing=broad.closing,
        )

    def _elsewhere(
        self, asked: Question, silent: Sequence[UnmentionedEntity], view: SearchView
    ) -> Sequence[Passage]:
        """Return passages of the releases that do mention the names."""
        told = tuple(sorted({release for each in silent for release in each.told}))
        there = replace(asked, scope=ReleaseScope((), told, ()))
        return self._searcher.search(there, view.vector, len(view.search.passages), strict=True).passages

    def _alone(self, question: str) -> Question:
        """Parse a question without any before it."""
        return self.understand(question, ())

    def _held(self, asked: Question) -> bool:
        """Check whether a document is about a release asked for, as no other can answer."""
        return not asked.releases or any(r in self.retriever.releases for r in asked.releases)

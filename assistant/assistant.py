"""The assistant: answers questions with citations."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from assistant.answer import Answer
from assistant.answering.conversation import read_conversation
from assistant.answering.plan import AnswerPlan, AskRequest, Examination
from assistant.answering.planner import PASSAGES, Planner
from assistant.answering.responder import Responder
from assistant.answering.retelling import Reteller
from assistant.answering.suggestions import finished
from assistant.observation import Observer, observed
from assistant.query.acts import LANGUAGE_ACTS
from assistant.query.question_language import question_language
from assistant.reader.reading import Reader
from assistant.retrieval.alignment import TranslationAligner
from assistant.retrieval.gate import Gate, load_gate
from assistant.retrieval.known_questions import KnownQuestions
from assistant.retrieval.searcher import Candidates
from assistant.text.prompt_injection import trusted_chunk
from assistant.timeline.model import Histories
from assistant.verification.evidence import TextMatcher
from assistant.versions import versions_of
from corpus.glossary import Glossary
from index.embedding.base import Embedder
from index.search.passage import Passage
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.locked_property import locked_cached_property
from ingest.release import Release
from ingest.segment import Segmenter

if TYPE_CHECKING:  # imported late, to keep questions fast without a language model
    from assistant.llm.client import LanguageModel
    from assistant.llm.tools import Tool
    from assistant.llm.writer import Writer
    from assistant.verification.verifier import Verifier

_NEIGHBOURS = 10  # nearest sentences of the whole index that a statement is compared with


@dataclass
class Assistant:
    """Answers questions from one index.

    Attributes:
        retriever: searches one generation of the index. It is replaced by one that finds trusted chunks only.
        embedder: the embedder that the index was built with.
        segmenter: the segmenter that the index was built with.
        glossary: the glossary that the index was built with.
        gate: decides whether to decline; None uses the gate that ships.
        model: language model that writes answers; None quotes the notes.
        reader: reads passages together with the question; None decides without.
        known: questions whose sections are known; None decides without.
        strict: whether to show only proved sentences of the language model, where a question does not say.
        judges: whether the language model judges once more what the proof of its draft leaves open.
        observer: told of each question and how its answer ended; None for nobody.

    `gate` and `model` may be replaced at any time, which affects the questions asked after that. Several
    threads may ask questions at once.
    """

    retriever: Retriever
    embedder: Embedder
    segmenter: Segmenter
    glossary: Glossary
    gate: Gate | None = None
    model: LanguageModel | None = None
    reader: Reader | None = None
    known: KnownQuestions | None = None
    strict: bool = False
    judges: bool = False
    observer: Observer | None = None

    def __post_init__(self) -> None:
        if self.retriever.admits is not trusted_chunk:  # whoever made the retriever
            self.retriever = replace(self.retriever, admits=trusted_chunk)
        aligner = TranslationAligner(self.retriever)
        self._matcher = TextMatcher(self.segmenter.vocabulary, self.glossary)
        self._planner = Planner(
            self.retriever, self.embedder, self.segmenter, self.glossary, aligner, self.reader, self.known
        )
        self._responder = Responder(
            aligner, self.glossary, self._matcher, self.retriever.releases, self._tools
        )
        self._reteller = Reteller(self._responder)
        self._checked = partial(AskRequest.checked, known=self.retriever.releases)
        self._lock = threading.Lock()
        self._writer: Writer | None = None

    def ask(
        self,
        question: str,
        history: Sequence[str] = (),
        *,
        releases: Sequence[str | Release] | None = None,
        language: Language | None = None,
        top_k: int = PASSAGES,
        use_model: bool = True,
        strict: bool | None = None,
    ) -> Answer:
        """Answer a question from the notes.

        Args:
            question: question in Chinese or English.
            history: earlier turns of the conversation, as typed, oldest first. The last 24 are read, up to
                8,000 characters in total; small talk among them is passed over.
            releases: releases to search; None searches those that the question names, or all.
            language: language of the answer, "zh" or "en"; None means that of the question.
            top_k: number of passages to return, from 1 to 50.
            use_model: whether the language model, if any, may write the answer.
            strict: whether to show only what the notes prove of the language model; None: as `self.strict`.

        Returns:
            The answer. If the notes do not answer the question, `abstained` is true.

        Raises:
            TorchnotesError: an argument is invalid. The message says what is allowed.
        """
        request = self._checked(question, history, releases, language, top_k)
        *_, answer = self._observed(request, use_model=use_model, strict=strict, growing=False)
        return answer

    def stream(
        self,
        question: str,
        history: Sequence[str] = (),
        *,
        releases: Sequence[str | Release] | None = None,
        language: Language | None = None,
        top_k: int = PASSAGES,
        use_model: bool = True,
        strict: bool | None = None,
    ) -> Iterator[Answer]:
        """Answer a question like `ask`, yielding partial answers.

        Closing the iterator cancels the language model's request.

        Args:
            question: as for `ask`.
            history: as for `ask`.
            releases: as for `ask`.
            language: as for `ask`.
            top_k: as for `ask`.
            use_model: as for `ask`.
            strict: as for `ask`.

        Yields:
            Growing answers, the last of which is complete. Without a language model, each adds a group of
            sentences. With one, each adds verified sentences, and `pending` is the text not verified yet.

        Raises:
            TorchnotesError: an argument is invalid. The message says what is allowed.
        """
        request = self._checked(question, history, releases, language, top_k)
        yield from self._observed(request, use_model=use_model, strict=strict, growing=True)

    def passages(
        self,
        query: str,
        *,
        releases: Sequence[str | Release] | None = None,
        top_k: int = PASSAGES,
    ) -> tuple[Passage, ...]:
        """Search without answering: any text is looked up, small talk as well.

        Args:
            query: question or keywords in Chinese or English.
            releases: releases to search; None searches those that the query names, or all.
            top_k: number of passages to return, from 1 to 50.

        Returns:
            The passages, best first.

        Raises:
            TorchnotesError: an argument is invalid. The message says what is allowed.
        """
        return tuple(self._plan(self._checked(query, (), releases, None, top_k), None).passages)

    def _observed(
        self, request: AskRequest, *, use_model: bool, strict: bool | None, growing: bool
    ) -> Iterator[Answer]:
        """Yield the answers with their versions, and tell the observer."""
        answers = self._answers(request, use_model=use_model, strict=strict, growing=growing)
        return observed(answers, request.question, self.versions, self.observer)

    def _answers(
        self, request: AskRequest, *, use_model: bool, strict: bool | None, growing: bool
    ) -> Generator[Answer, None, None]:
        """Yield the reply to an act of conversation, the last answer in another form, or the answer."""
        talk = read_conversation(self._planner.turns, request.question, request.history, request.language)
        if reply := talk.reply():
            yield reply
            return
        writer = self.writer if use_model else None
        act = talk.retelling
        if act:
            *earlier, question = talk.questions
            before = replace(request, question=question, history=earlier, language=None)
            found = self._plan_in(talk.language, before, writer)
            if act not in LANGUAGE_ACTS or not found.picks:
                answer = self._reteller.retold(found, act, talk.acts.count(act))
                yield finished(answer, request)
                return
        else:
            language = talk.turn.language or request.language or question_language(request.question)
            plain = replace(request, question=talk.turn.question, history=talk.questions, language=language)
            found = self._plan(plain, writer)
        only_proved = self.strict if strict is None else strict
        for answer in self._responder.answers(found, writer, strict=only_proved, growing=growing):
            yield finished(replace(answer, act=act or answer.act), request)

    def _plan(self, request: AskRequest, writer: Writer | None) -> AnswerPlan:
        """Plan the answer to a question; `writer` is the one that may write it."""
        return self._planner.plan(request, self.gate or load_gate(), writer.model if writer else None)

    def _plan_in(self, language: Language, request: AskRequest, writer: Writer | None) -> AnswerPlan:
        """Plan an answer once more in a language; whether there is one is decided in that of the question."""
        own = self._plan(request, writer)
        if own.picks and own.asked.language != language:
            other = self._plan(replace(request, language=language), writer)
            if other.picks:
                return other
        return replace(own, asked=replace(own.asked, language=language))

    @property
    def versions(self) -> dict[str, str]:
        """Versions that the answers depend on."""
        return versions_of(self.retriever, self.embedder, self.reader)

    @property
    def writer(self) -> Writer | None:
        """Writer for the current `model`, or None without one."""
        from assistant.llm.writer import writer_of

        model = self.model
        if model is None:
            return None
        with self._lock:
            if self._writer is None or self._writer.model is not model:
                self._writer = writer_of(model, self.verifier, self.embedder.count_tokens, judges=self.judges)
            return self._writer

    @locked_cached_property
    def verifier(self) -> Verifier:
        """Verifier of statements against passages of this index."""
        from assistant.verification.verifier import Verifier

        return Verifier(
            self.embedder.encode_passing,
            lambda rows: self.retriever.generation.sentence_vectors.rows(np.asarray(rows, np.int64)),
            lambda vector: self.retriever.said_by(vector, _NEIGHBOURS),
            self._matcher,
            self.reader,
        )

    def _tools(self, language: Language) -> Sequence[Tool]:
        """Return the functions for language models that call them."""
        from assistant.answering.toolbox import Toolbox

        return Toolbox(self.retriever, self.glossary, self.histories, self.passages).tools(language)

    def histories(self) -> Histories:
        """Return the status histories of all features in the index, built on the first call."""
        return self._planner.histories()

    def examine(self, question: str, history: Sequence[str] = ()) -> Examination:
        """Search, and measure and read what decides whether to answer.

        Args:
            question: question in Chinese or English.
            history: earlier questions of the conversation, oldest first.
        """
        return self._planner.examine(question, history)

    def is_unmentioned(self, question: str, history: Sequence[str] = ()) -> bool:
        """Check whether a question is declined before the gate, for names its releases do not mention.

        Args:
            question: question in Chinese or English.
            history: earlier questions of the conversation, oldest first.
        """
        return self._planner.is_unmentioned(question, history)

    def candidates(self, question: str, history: Sequence[str] = ()) -> Candidates:
        """Return the passages on which the passage and sentence rankers are trained.

        Args:
            question: question in Chinese or English.
            history: earlier questions of the conversation, oldest first.
        """
        return self._planner.candidates(question, history)

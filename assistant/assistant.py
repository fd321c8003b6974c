"""The assistant: answers questions with citations."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from assistant.answer import Answer
from assistant.answering.plan import AnswerPlan, AskRequest
from assistant.answering.planner import PASSAGES, Planner
from assistant.answering.responder import Responder
from assistant.query.validation import check_history, check_options, check_question, check_releases
from assistant.reader.reading import Reader
from assistant.retrieval.alignment import TranslationAligner
from assistant.retrieval.gate import Gate, load_gate
from assistant.retrieval.reading import Readings
from assistant.retrieval.searcher import Candidates
from assistant.text.prompt_injection import trusted_chunk
from assistant.timeline.model import Histories
from assistant.verification.evidence import TextMatcher
from corpus.glossary import Glossary
from index.embedding.base import Embedder
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.locked_property import locked_cached_property
from ingest.release import Release
from ingest.segment import Segmenter

if TYPE_CHECKING:  # imported late, to keep questions fast without a language model
    from assistant.llm.client import LanguageModel
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

    def __post_init__(self) -> None:
        if self.retriever.admits is not trusted_chunk:  # whoever made the retriever
            self.retriever = replace(self.retriever, admits=trusted_chunk)
        aligner = TranslationAligner(self.retriever)
        self._matcher = TextMatcher(self.segmenter.vocabulary, self.glossary)
        self._planner = Planner(
            self.retriever, self.embedder, self.segmenter, self.glossary, aligner, self.reader
        )
        self._responder = Responder(aligner, self.glossary, self._matcher, self.retriever.releases)
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
        unfiltered: bool = False,
    ) -> Answer:
        """Answer a question from the notes.

        Args:
            question: question in Chinese or English.
            history: earlier questions of the conversation, oldest first. The last 8 are read, up to 8,000
                characters in total.
            releases: releases to search; None searches those that the question names, or all.
            language: language of the answer, "zh" or "en"; None means that of the question.
            top_k: number of passages to return, from 1 to 50.
            use_model: whether the language model, if any, may write the answer.
            unfiltered: whether to keep sentences of the language model that no passage supports, marked as
                such.

        Returns:
            The answer. If the notes do not answer the question, `abstained` is true.

        Raises:
            TorchnotesError: an argument is invalid. The message says what is allowed.
        """
        writer = self.writer if use_model else None
        found = self._plan(question, history, releases, language, top_k, writer)
        *_, answer = self._responder.answers(found, writer, unfiltered=unfiltered, growing=False)
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
        unfiltered: bool = False,
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
            unfiltered: as for `ask`.

        Yields:
            Growing answers, the last of which is complete. Without a language model, each adds a group of
            sentences. With one, each adds verified sentences, and `pending` is the text not verified yet.

        Raises:
            TorchnotesError: an argument is invalid. The message says what is allowed.
        """
        writer = self.writer if use_model else None
        found = self._plan(question, history, releases, language, top_k, writer)
        yield from self._responder.answers(found, writer, unfiltered=unfiltered, growing=True)

    def _plan(
        self,
        question: str,
        history: Sequence[str],
        releases: Sequence[str | Release] | None,
        language: Language | None,
        top_k: int,
        writer: Writer | None,
    ) -> AnswerPlan:
        """Validate the arguments of `ask` and plan the answer."""
        check_question(question)
        history = check_history(history)
        check_options(language, top_k)
        only = check_releases(releases, self.retriever.releases)
        request = AskRequest(question, history, only, language, top_k)
        return self._planner.plan(request, self.gate or load_gate(), writer.model if writer else None)

    @property
    def writer(self) -> Writer | None:
        """Writer for the current `model`, or None without one."""
        from assistant.llm.writer import Writer

        model = self.model
        if model is None:
            return None
        with self._lock:
            if self._writer is None or self._writer.model is not model:
                self._writer = Writer(model, self.verifier, self.embedder.count_tokens)
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

    def histories(self) -> Histories:
        """Return the status histories of all features in the index, built on the first call."""
        return self._planner.histories()

    def examine(self, question: str, history: Sequence[str] = ()) -> tuple[dict[str, float], Readings]:
        """Search, and measure and read what decides whether to answer.

        Args:
            question: question in Chinese or English.
            history: earlier questions of the conversation, oldest first.

        Returns:
            The features that the gate decides from and is trained on, by name, and what the reader found.
        """
        return self._planner.examine(question, history)

    def is_unmentioned(self, question: str, history: Sequence[str] = ()) -> bool:
        """Check whether a question is declined because its releases do not mention what it names.

        Such a question is declined before the gate decides.

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

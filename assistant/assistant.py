"""The assistant: question in, cited answer out."""

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
from assistant.retrieval.alignment import TranslationAligner
from assistant.retrieval.gate import Gate, load_gate
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

if TYPE_CHECKING:  # what only a language model needs stays out of the way of a question
    from assistant.llm.client import LanguageModel
    from assistant.llm.writer import Writer
    from assistant.verification.verifier import Verifier

_NEIGHBOURS = 10  # sentences of the whole index that a statement is compared with


@dataclass
class Assistant:
    """Answers questions from one index.

    Attributes:
        retriever: over the generation of the index to answer from; it is made to find trusted chunks only.
        embedder: the one that the index was built with.
        segmenter: as the index was built with.
        glossary: as the index was built with.
        gate: decides when to decline; None: the trained one.
        model: writes answers from what is found; None: they are sentences of the notes.

    Another gate or model may be set at any time; questions asked from then on are answered with it. Several
    threads may ask at once.
    """

    retriever: Retriever
    embedder: Embedder
    segmenter: Segmenter
    glossary: Glossary
    gate: Gate | None = None
    model: LanguageModel | None = None

    def __post_init__(self) -> None:
        if self.retriever.admits is not trusted_chunk:  # whoever made the retriever
            self.retriever = replace(self.retriever, admits=trusted_chunk)
        aligner = TranslationAligner(self.retriever)
        self._matcher = TextMatcher(self.segmenter.vocabulary, self.glossary)
        self._planner = Planner(self.retriever, self.embedder, self.segmenter, self.glossary, aligner)
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
            question: in Chinese or English.
            history: earlier questions of the conversation, oldest first; the last 8 are read, of 8,000
                characters together.
            releases: look in these only; None: those that the question names, or all.
            language: of the answer; None: that of the question.
            top_k: passages to return, at most 50.
            use_model: let the language model write, where there is one.
            unfiltered: keep what it wrote without proof, marked as such.

        Returns:
            The answer, a decline where the notes do not tell.

        Raises:
            TorchnotesError: an argument cannot be used; the message says what can.
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
        """Answer as `ask` does, the answer growing; closing the iterator ends the model's work.

        Args:
            question: as for `ask`, and so are all other arguments.
            history: earlier questions.
            releases: look in these only.
            language: of the answer.
            top_k: passages to return.
            use_model: let the language model write.
            unfiltered: keep what it wrote without proof.

        Yields:
            Answers, the last of which is whole. Without a language model one grows by a group of sentences
            at a time, the first without waiting for the rest. With one it grows by each sentence that is
            proved; `pending` is what is being written.

        Raises:
            TorchnotesError: an argument cannot be used; the message says what can.
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
        """Check the arguments of `ask` and find what answers."""
        check_question(question)
        history = check_history(history)
        check_options(language, top_k)
        only = check_releases(releases, self.retriever.releases)
        request = AskRequest(question, history, only, language, top_k)
        return self._planner.plan(request, self.gate or load_gate(), writer.model if writer else None)

    @property
    def writer(self) -> Writer | None:
        """What writes answers with `model` as it is now; None without one."""
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
        """Proves statements by passages of this index."""
        from assistant.verification.verifier import Verifier

        return Verifier(
            self.embedder.encode_passing,
            lambda rows: self.retriever.generation.sentence_vectors.rows(np.asarray(rows, np.int64)),
            lambda vector: self.retriever.said_by(vector, _NEIGHBOURS),
            self._matcher,
        )

    def histories(self) -> Histories:
        """Return the histories of the features that the index tells of; they are made on the first call."""
        return self._planner.histories()

    def features(self, question: str, history: Sequence[str] = ()) -> dict[str, float]:
        """Return the features that the gate decides on, by name; it is trained on these.

        Args:
            question: in Chinese or English.
            history: earlier questions of the conversation, oldest first.
        """
        return self._planner.features(question, history)

    def is_unmentioned(self, question: str, history: Sequence[str] = ()) -> bool:
        """Return whether a question is declined before the gate: its releases do not mention what it names.

        Args:
            question: in Chinese or English.
            history: earlier questions of the conversation, oldest first.
        """
        return self._planner.is_unmentioned(question, history)

    def candidates(self, question: str, history: Sequence[str] = ()) -> Candidates:
        """Return the passages that the orders of passages and of sentences are trained on.

        Args:
            question: in Chinese or English.
            history: earlier questions of the conversation, oldest first.
        """
        return self._planner.candidates(question, history)

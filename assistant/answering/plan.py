"""Data passed between the stages of answering: request, search results, timings, and plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from assistant.answer import DraftSentence, JudgingCost, ModelError, StageSpan, ToolStep
from assistant.answering.unmentioned import UnmentionedEntity
from assistant.query.question import Question
from assistant.query.validation import check_history, check_options, check_question, check_releases
from assistant.retrieval.pick import Pick
from assistant.retrieval.reading import NOTHING_READ, Readings
from assistant.retrieval.searcher import SearchResult
from index.embedding.base import Vectors
from index.search.passage import Passage
from ingest.document import Language
from ingest.release import Release

_WORTH_ASKING = 0.5  # share of the gate's threshold


class StageTimer:
    """Measures the time of each stage.

    Attributes:
        spans: the stages in order of their end, each as often as it was there.
    """

    def __init__(self) -> None:
        self.spans: list[StageSpan] = []

    @property
    def seconds(self) -> dict[str, float]:
        """Total seconds by stage."""
        total: dict[str, float] = {}
        for span in self.spans:
            total[span.stage] = total.get(span.stage, 0.0) + span.seconds
        return total

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Time the body of a `with` statement, also one that fails.

        Args:
            stage: name to add the time to.
        """
        started, start = time.time(), time.perf_counter()
        try:
            yield
        finally:
            self.spans.append(StageSpan(stage, started, time.perf_counter() - start))


@dataclass(frozen=True, slots=True)
class AskRequest:
    """Validated arguments of `Assistant.ask`.

    Attributes:
        question: the question as typed.
        history: earlier questions of the conversation, oldest first, truncated to those that are read.
        only: releases to search; empty means those that the question names, or all.
        language: language of the answer; None means that of the question.
        top_k: number of passages to return.
    """

    question: str
    history: Sequence[str]
    only: tuple[Release, ...]
    language: Language | None
    top_k: int

    @classmethod
    def checked(
        cls,
        question: str,
        history: Sequence[str],
        releases: Sequence[str | Release] | None,
        language: Language | None,
        top_k: int,
        *,
        known: Sequence[Release],
    ) -> AskRequest:
        """Validate the arguments of `Assistant.ask`.

        Args:
            question: as for `Assistant.ask`.
            history: as for `Assistant.ask`.
            releases: as for `Assistant.ask`.
            language: as for `Assistant.ask`.
            top_k: as for `Assistant.ask`.
            known: releases of the index.

        Raises:
            TorchnotesError: an argument is invalid. The message says what is allowed.
        """
        check_question(question)
        history = check_history(history)
        check_options(language, top_k)
        return cls(question, history, check_releases(releases, known), language, top_k)


@dataclass(frozen=True, slots=True)
class SearchView:
    """Search results for one reading of a question.

    Attributes:
        search: passages and quotes found.
        vector: unit vector of the question, of shape (d,).
        probability: estimated probability that the passages answer the question.
        threshold: least probability for answering.
        unread: the probability that the gate gives without the reader.
        wider: searches for as many passages as a language model may read, best first.
        readings: what the reader found in the first passages.
    """

    search: SearchResult
    vector: Vectors
    probability: float
    threshold: float
    unread: float
    wider: Callable[[], Sequence[Passage]]
    readings: Readings = NOTHING_READ

    @property
    def worth_asking(self) -> bool:
        """Whether a language model should decide, although the gate may be in doubt."""
        return self.probability >= _WORTH_ASKING * self.threshold


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """Everything an answer is composed from.

    Attributes:
        asked: parsed question.
        passages: passages retrieved, best first.
        picks: sentences of the answer; empty if the question is declined.
        watch: timer of the stages.
        view: search results for a language model to write from, also where the question is declined by a
            small margin. None for lists and status histories, which are shown in full, and for other
            questions.
        pairs: counterparts in the other language by chunk id, as far as looked up; None if there is none.
        silent: names in the question that the releases asked for do not mention.
        notices: notices on how the answer was made, in order.
        sentences: those of a language model's draft that is not shown, with reasons.
        off_subject: whether the question is declined because it is about something else than PyTorch.
        opening: our words before the quotes of the answer, "" for none.
        closing: our words after them, "" for none.
        steps: what a language model looked up.
        model_errors: steps in which the language model failed.
        judging: what the language model's judgement of its draft cost; None where it was not asked.
    """

    asked: Question
    passages: Sequence[Passage]
    picks: Sequence[Pick]
    watch: StageTimer
    view: SearchView | None = None
    pairs: dict[str, Passage | None] = field(default_factory=dict)
    silent: tuple[UnmentionedEntity, ...] = ()
    notices: tuple[str, ...] = ()
    sentences: tuple[DraftSentence, ...] = ()
    off_subject: bool = False
    opening: str = ""
    closing: str = ""
    steps: tuple[ToolStep, ...] = ()
    model_errors: tuple[ModelError, ...] = ()
    judging: JudgingCost | None = None


class Examination(NamedTuple):
    """What decides whether a question is answered.

    Attributes:
        asked: parsed question.
        search: passages and quotes found.
        features: from which the gate decides, by name.
        readings: what the reader found in the first passages.
        verdict: from which the verdict on a yes/no question is decided; None for any other question.
    """

    asked: Question
    search: SearchResult
    features: dict[str, float]
    readings: Readings
    verdict: dict[str, float] | None

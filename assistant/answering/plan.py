"""What passes between the stages of an answer: how long each took, what was found, what is to be told."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from assistant.answer import Unproved
from assistant.answering.unmentioned import UnmentionedEntity
from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.retrieval.searcher import SearchResult
from index.embedding.base import Vectors
from index.search.passage import Passage
from ingest.document import Language
from ingest.release import Release


class StageTimer:
    """Seconds by stage, of a stage that comes again their sum."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Time a stage."""
        start = time.perf_counter()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class AskRequest:
    """The arguments of one call of `Assistant.ask`, checked.

    Attributes:
        question: as typed.
        history: earlier questions of the conversation that are read, oldest first.
        only: releases to look in; empty: those that the question names, or all.
        language: of the answer; None: that of the question.
        top_k: number of passages to return.
    """

    question: str
    history: Sequence[str]
    only: tuple[Release, ...]
    language: Language | None
    top_k: int


@dataclass(frozen=True, slots=True)
class SearchView:
    """What one reading of a question finds.

    Attributes:
        vector: of the question.
        probability: that it answers.
        threshold: the least probability that is enough.
    """

    search: SearchResult
    vector: Vectors
    probability: float
    threshold: float


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """What an answer is composed of.

    Attributes:
        passages: what retrieval returned, best first.
        picks: the sentences that answer; none where the question is declined.
        view: what a language model may write from; None for lists and histories, which are told whole, and
            where the question is declined.
        pairs: passages in the other language, found so far, by the id of the chunk.
        silent: what the releases asked for do not mention, though the question names it.
        notices: what the reader must know of how the answer came about, in the order in which it happened.
        unproved: what a language model wrote, and why it is not told.
    """

    asked: Question
    passages: Sequence[Passage]
    picks: Sequence[Pick]
    watch: StageTimer
    view: SearchView | None = None
    pairs: dict[str, Passage | None] = field(default_factory=dict)
    silent: tuple[UnmentionedEntity, ...] = ()
    notices: tuple[str, ...] = ()
    unproved: tuple[Unproved, ...] = ()

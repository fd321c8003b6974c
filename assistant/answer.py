"""Answers and their citations, as returned by `ask`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from index.search.passage import Passage
from ingest.document import Language
from ingest.release import Release

if TYPE_CHECKING:  # only needed if checks were run
    from assistant.checks.verdict import Verdict


#: proved: quotes say so. unconfirmed: no quote is known to say so, and none says otherwise. contradicted: a
#: quote says otherwise, or the statement is an instruction that came in with a document. neutral: it claims
#: nothing of the notes, such as a heading, or the opening of a list.
Outcome = Literal["proved", "unconfirmed", "contradicted", "neutral"]


@dataclass(frozen=True, slots=True)
class Citation:
    """The quote that supports a sentence of an answer.

    Attributes:
        number: number of its mark [number] in the text of the answer.
        passage: passage that contains the quote.
        start: offset of the quote in `passage.document.text`.
        end: offset after the quote.
        paired: counterpart of the passage in the other language, or None.
    """

    number: int
    passage: Passage
    start: int
    end: int
    paired: Passage | None = None

    @property
    def quote(self) -> str:
        """The quote, verbatim."""
        return self.passage.document.text[self.start : self.end]

    @property
    def url(self) -> str:
        """URL of the source."""
        return self.passage.url

    @property
    def text(self) -> str:
        """Text of the whole passage."""
        return self.passage.text

    @property
    def version(self) -> str:
        """Release of the passage as text, or ""."""
        return self.passage.version

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable dictionary."""
        return {
            "number": self.number,
            "quote": self.quote,
            "release": self.version,
            "title": self.passage.title,
            "heading": self.passage.heading,
            "status": self.passage.status,
            "language": self.passage.language,
            "url": self.url,
            "origin": self.passage.document.origin,
            "document_id": self.passage.document_id,
            "start": self.start,
            "end": self.end,
            "paired": self.paired
            and {
                "language": self.paired.language,
                "title": self.paired.title,
                "heading": self.paired.heading,
                "url": self.paired.url,
                "document_id": self.paired.document_id,
                "text": self.paired.text,
            },
        }


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence, heading, table row or code block that a language model wrote.

    Attributes:
        text: the sentence, without marks.
        outcome: "proved" by the quotes of its citations; "unconfirmed" by the notes, and marked so in the
            text; "contradicted" by them, and never shown; or "neutral", which claims nothing, as headings do.
        reason: why it is not proved, or "".
        citations: numbers of the citations that prove it.
        shown: whether the text of the answer contains it.
    """

    text: str
    outcome: Outcome
    reason: str = ""
    citations: tuple[int, ...] = ()
    shown: bool = True


@dataclass(frozen=True, slots=True)
class ToolStep:
    """What a language model looked up before it wrote.

    Attributes:
        name: function that it called.
        arguments: its arguments, shortened.
        result: what was found, in one line.
    """

    name: str
    arguments: dict[str, str]
    result: str


class StageSpan(NamedTuple):
    """A stage of an answer, once.

    Attributes:
        stage: its name.
        started: when, in seconds since the epoch.
        seconds: how long.
    """

    stage: str
    started: float
    seconds: float


class ModelError(NamedTuple):
    """A step in which the language model failed; the answer was made without it.

    Attributes:
        step: "rewrite", "tools", "write" or "judge".
        reason: one line, without the key.
    """

    step: str
    reason: str


class JudgingCost(NamedTuple):
    """What it cost to have a language model judge what it wrote (`assistant/llm/judge.py`).

    Attributes:
        calls: requests.
        sentences: sentences judged.
        tokens_read: tokens of the prompt, as the embedding model counts them.
        tokens_written: tokens of the reply, likewise.
        seconds: how long.
    """

    calls: int
    sentences: int
    tokens_read: int
    tokens_written: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer to a question, from the notes.

    Attributes:
        question: question as typed.
        standalone: question as searched; a follow-up is combined with what it refers to.
        text: Markdown with marks [1], [2] at the sentences that the citations support.
        language: language of the text, "zh" or "en".
        abstained: whether the notes do not answer the question. The text then lists what was searched and the
            nearest passages.
        citations: citations of the text, numbered from 1 without gaps.
        passages: passages retrieved, best first.
        releases: releases of the cited passages, oldest first.
        timings: seconds by stage.
        model: name of the language model that wrote the text, or "" if it consists of quotes.
        notices: notices on how the answer was made, in order; empty if nothing unusual happened.
        sentences: what the language model wrote, with what verification made of it.
        pending: text of a partial answer that is not verified yet.
        verdicts: results of the checks that were run on this machine.
        steps: what the language model looked up before it wrote, in order.
        act: what the turn is if it is no question about the notes: an act of conversation such as "thanks" or
            "shorter" (assistant/query/acts.py), or "off_topic"; "" for a question.
        suggestions: questions to ask next that the notes answer, in the language of the text, best first;
            after a declined question, what to ask instead.
        versions: what the answer depends on, from `assistant.versions.versions_of`.
        stages: the stages that `timings` adds up, in order of their end.
        model_errors: steps in which the language model failed.
        judging: what the language model's judgement of its own sentences cost; None where it was not asked.
    """

    question: str
    standalone: str
    text: str
    language: Language
    abstained: bool
    citations: tuple[Citation, ...]
    passages: tuple[Passage, ...]
    releases: tuple[Release, ...]
    timings: dict[str, float] = field(default_factory=dict, compare=False)
    model: str = ""
    notices: tuple[str, ...] = ()
    sentences: tuple[DraftSentence, ...] = ()
    pending: str = ""
    verdicts: tuple[Verdict, ...] = ()
    act: str = ""
    suggestions: tuple[str, ...] = ()
    steps: tuple[ToolStep, ...] = ()
    versions: dict[str, str] = field(default_factory=dict, compare=False)
    stages: tuple[StageSpan, ...] = field(default=(), compare=False, repr=False)
    model_errors: tuple[ModelError, ...] = ()
    judging: JudgingCost | None = field(default=None, compare=False)

    @property
    def declines(self) -> bool:
        """Whether it says that the notes do not answer a question; a reply to small talk does not."""
        return self.abstained and bool(self.passages or not self.act)

    @property
    def unproved(self) -> tuple[DraftSentence, ...]:
        """Sentences of the language model that were left out."""
        return tuple(sentence for sentence in self.sentences if not sentence.shown)

    @property
    def notice(self) -> str:
        """All notices as one text, or ""."""
        return " ".join(self.notices)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serializable dictionary, as printed by `torchnotes ask --json`."""
        return {
            "question": self.question,
            "standalone": self.standalone,
            "text": self.text,
            "language": self.language,
            "abstained": self.abstained,
            "act": self.act,
            "citations": [citation.to_dict() for citation in self.citations],
            "passages": [passage.to_dict() for passage in self.passages],
            "releases": [str(release) for release in self.releases],
            "model": self.model,
            "notice": self.notice,
            "notices": list(self.notices),
            "suggestions": list(self.suggestions),
            "sentences": [{**asdict(each), "citations": list(each.citations)} for each in self.sentences],
            "unproved": [{"text": each.text, "reason": each.reason} for each in self.unproved],
            "steps": [
                {"name": step.name, "arguments": step.arguments, "result": step.result} for step in self.steps
            ],
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            "versions": dict(self.versions),
            "model_errors": [error._asdict() for error in self.model_errors],
            "judging": self.judging and self.judging._asdict(),
            "timings": {stage: round(seconds, 4) for stage, seconds in self.timings.items()},
        }

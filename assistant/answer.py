"""An answer and its citations: what `ask` returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from index.search.passage import Passage
from ingest.document import Language
from ingest.release import Release

if TYPE_CHECKING:  # only an answer that was checked needs them
    from assistant.checks.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Citation:
    """What proves a sentence of an answer.

    Attributes:
        number: the mark [number] in the answer's text.
        passage: where the quote stands.
        start, end: span of the quote in `passage.document.text`.
        paired: the passage's version in the other language, None where the notes have none.
    """

    number: int
    passage: Passage
    start: int
    end: int
    paired: Passage | None = None

    @property
    def quote(self) -> str:
        """The words that prove the sentence, as they stand in the document."""
        return self.passage.document.text[self.start : self.end]

    @property
    def url(self) -> str:
        """Where a reader finds the source."""
        return self.passage.url

    @property
    def text(self) -> str:
        """The whole passage."""
        return self.passage.text

    @property
    def version(self) -> str:
        """The release that the passage speaks of, as text."""
        return self.passage.version

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
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
class Unproved:
    """A sentence of a language model that no passage proves, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the notes say to a question.

    Attributes:
        question: as asked.
        standalone: the question as it was searched; a follow-up carries what it left unsaid.
        text: Markdown in the question's language, with marks [1], [2] at the sentences they prove.
        language: "zh" or "en".
        abstained: True when the notes do not tell; the text then says what was searched and what is nearest.
        citations: what the text cites, numbered from 1 without gaps.
        passages: what retrieval returned, best first.
        releases: releases that the answer speaks of, oldest first.
        timings: seconds by stage.
        model: the language model that wrote the text, "" where its sentences are those of the notes.
        notices: what a reader must know of how it came about, a sentence or more each, in the order in which
            it happened; none where all went as meant.
        unproved: sentences of the model that are left out, or marked in unfiltered text.
        pending: of an answer that is growing, what the model is writing and nothing has proved yet.
        verdicts: what came of the checks that were run on this machine.
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
    unproved: tuple[Unproved, ...] = ()
    pending: str = ""
    verdicts: tuple[Verdict, ...] = ()

    @property
    def notice(self) -> str:
        """The notices as one text, "" where there is none."""
        return " ".join(self.notices)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form: what `torchnotes ask --json` prints."""
        return {
            "question": self.question,
            "standalone": self.standalone,
            "text": self.text,
            "language": self.language,
            "abstained": self.abstained,
            "citations": [citation.to_dict() for citation in self.citations],
            "passages": [passage.to_dict() for passage in self.passages],
            "releases": [str(release) for release in self.releases],
            "model": self.model,
            "notice": self.notice,
            "notices": list(self.notices),
            "unproved": [{"text": each.text, "reason": each.reason} for each in self.unproved],
            "verdicts": [verdict.to_dict() for verdict in self.verdicts],
            "timings": {stage: round(seconds, 4) for stage, seconds in self.timings.items()},
        }

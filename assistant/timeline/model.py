"""A feature's life: its steps, and the sections that each of them stands on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from assistant.text.markdown import points_elsewhere, shown_length
from assistant.text.messages import CHANGED, OF_A_PART, STATUS_NAMES
from assistant.timeline.heading_parser import bare
from ingest.chunk import Chunk
from ingest.document import Document, Language
from ingest.markup import inline_text
from ingest.release import Release
from ingest.sentence import Sentence
from ingest.status import Status

_SHORT, _LONG = 12, 300  # characters of a sentence that is told


@dataclass(frozen=True, slots=True)
class Source:
    """The section that a step stands on, by its first chunk."""

    chunk: Chunk
    document: Document

    @property
    def heading(self) -> Sentence | None:
        """Where its own heading stands in the document."""
        title = self.chunk.headings[-1]
        spans = [s for s in self.chunk.sentences if s.kind == "heading"]
        return next((s for s in spans if title in inline_text(self.text(s))), spans[-1] if spans else None)

    @property
    def sentence(self) -> Sentence | None:
        """The first sentence of it that says something by itself, a short one if there is any."""
        told = [s for s in self.chunk.sentences if s.kind in ("prose", "item")]
        told = [s for s in told if shown_length(self.text(s)) >= _SHORT]
        told = [s for s in told if not points_elsewhere(self.text(s))]
        return next((s for s in told if s.end - s.start <= _LONG), told[0] if told else None)

    @property
    def title(self) -> str:
        """Its own heading without the status."""
        return bare(self.chunk.headings[-1])

    @property
    def url(self) -> str:
        """Where a reader finds it."""
        return self.chunk.url or self.document.url

    def text(self, span: Sentence | None) -> str:
        """The words of a span, "" for none."""
        return self.document.text[span.start : span.end] if span else ""


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """What one release says of a feature.

    Attributes:
        release: of the notes.
        date: of the release, None if no document tells.
        status: of the feature or, where not `whole`, of what the heading names of it.
        whole: whether the status is that of the feature itself.
        before: the feature's status until then where this step changes it, else "".
        sources: the sections that say so, the most trusted first.
    """

    release: Release
    date: date | None
    status: Status
    whole: bool
    before: Status
    sources: tuple[Source, ...]

    def told(self, language: Language) -> tuple[Source, ...]:
        """The sections of one document, one in the language if there is any."""
        native = [s for s in self.sources if s.document.language == language] or self.sources
        return tuple(s for s in native if s.document.id == native[0].document.id)

    def to_dict(self, language: Language) -> dict[str, Any]:
        """JSON-ready form, with what the notes say word for word."""
        return {
            "release": str(self.release),
            "date": self.date.isoformat() if self.date else None,
            "status": self.status,
            "before": self.before or None,
            "whole": self.whole,
            "sources": [
                {
                    "heading": source.chunk.headings[-1],
                    "quote": source.text(source.heading),
                    "sentence": source.text(source.sentence),
                    "url": source.url,
                    "language": source.document.language,
                    "kind": source.document.kind,
                    "document_id": source.document.id,
                }
                for source in self.told(language)
            ],
        }


@dataclass(frozen=True, slots=True)
class FeatureHistory:
    """The life of a feature.

    Attributes:
        id: of its glossary term, or else its title in lower case.
        names: how it is called in each language.
        titles: headings that are about it alone, in any language, their statuses left out.
        steps: the oldest release first.
    """

    id: str
    names: Mapping[Language, str]
    titles: tuple[str, ...]
    steps: tuple[TimelineStep, ...]

    @property
    def life(self) -> tuple[TimelineStep, ...]:
        """The steps of the feature itself and those that led to it; all where none is of it alone."""
        first = next((number for number, step in enumerate(self.steps) if step.whole), len(self.steps))
        return tuple(step for number, step in enumerate(self.steps) if step.whole or number < first)

    def to_dict(self, language: Language, releases: Collection[Release] = ()) -> dict[str, Any]:
        """JSON-ready form, with the steps of some releases only or of all."""
        steps = [step for step in self.steps if not releases or step.release in releases]
        return {
            "id": self.id,
            "name": self.names[language],
            "steps": [step.to_dict(language) for step in steps],
        }


#: Features by their ids.
Histories = Mapping[str, FeatureHistory]


def status_words(step: TimelineStep, language: Language) -> str:
    """The status of a step: whether it is that of a part, and what it was before."""
    names = STATUS_NAMES[language]
    status = names[step.status]
    if not step.whole:
        return OF_A_PART[language].format(status=status)
    return CHANGED[language].format(status=status, before=names[step.before]) if step.before else status

"""Feature histories: steps, and the sections that they are based on."""

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

_SHORT, _LONG = 12, 300  # characters of a quoted sentence


@dataclass(frozen=True, slots=True)
class Source:
    """The section that a step is based on.

    Attributes:
        chunk: its first chunk.
        document: its document.
    """

    chunk: Chunk
    document: Document

    @property
    def heading(self) -> Sentence | None:
        """Span of its own heading, None if no chunk sentence is a heading."""
        title = self.chunk.headings[-1]
        spans = [s for s in self.chunk.sentences if s.kind == "heading"]
        return next((s for s in spans if title in inline_text(self.text(s))), spans[-1] if spans else None)

    @property
    def sentence(self) -> Sentence | None:
        """First sentence that makes sense on its own, preferably a short one, or None."""
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
        """Address of the section, or else of the document."""
        return self.chunk.url or self.document.url

    @property
    def place(self) -> tuple[str, int]:
        """Id of the document and number of the section in it."""
        return self.document.id, self.chunk.section

    def text(self, span: Sentence | None) -> str:
        """Return the text of a span.

        Args:
            span: span in the document; None: "".
        """
        return self.document.text[span.start : span.end] if span else ""


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """What one release says about a feature.

    Attributes:
        release: the release.
        date: date of the release, None if unknown.
        status: status of the feature or, if not `whole`, of the part that the heading names.
        whole: whether the status is that of the feature itself.
        before: previous status of the feature if this step changes it, else "".
        sources: sections that say so, the most trusted first.
    """

    release: Release
    date: date | None
    status: Status
    whole: bool
    before: Status
    sources: tuple[Source, ...]

    def told(self, language: Language) -> tuple[Source, ...]:
        """Return the sections of a single document, preferably in a language.

        Args:
            language: preferred language.
        """
        native = [s for s in self.sources if s.document.language == language] or self.sources
        return tuple(s for s in native if s.document.id == native[0].document.id)

    def to_dict(self, language: Language) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary with verbatim quotes.

        Args:
            language: preferred language of the quotes.
        """
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
    """The history of a feature.

    Attributes:
        id: id of its glossary term, or else its title in lower case.
        names: name in each language.
        titles: headings about the feature alone, in any language, without statuses.
        steps: steps, oldest release first.
    """

    id: str
    names: Mapping[Language, str]
    titles: tuple[str, ...]
    steps: tuple[TimelineStep, ...]

    @property
    def life(self) -> tuple[TimelineStep, ...]:
        """Steps of the feature itself and those before the first of them; all if none is of the whole."""
        first = next((number for number, step in enumerate(self.steps) if step.whole), len(self.steps))
        return tuple(step for number, step in enumerate(self.steps) if step.whole or number < first)

    def to_dict(self, language: Language, releases: Collection[Release] = ()) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary.

        Args:
            language: language of the name, and preferred language of quotes.
            releases: include only steps of these releases; empty: all.
        """
        steps = [step for step in self.steps if not releases or step.release in releases]
        return {
            "id": self.id,
            "name": self.names[language],
            "steps": [step.to_dict(language) for step in steps],
        }


#: Features by their ids.
Histories = Mapping[str, FeatureHistory]


def status_words(step: TimelineStep, language: Language) -> str:
    """Describe the status of a step, that it is of a part, and what it was before.

    Args:
        step: the step.
        language: language of the description.
    """
    names = STATUS_NAMES[language]
    status = names[step.status]
    if not step.whole:
        return OF_A_PART[language].format(status=status)
    return CHANGED[language].format(status=status, before=names[step.before]) if step.before else status

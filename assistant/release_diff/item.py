"""An item of an upgrade: one thing that changes, with the section that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from assistant.release_diff.sections import Sources, saying
from assistant.timeline.model import Source
from ingest.document import LANGUAGES, Language
from ingest.release import Release
from ingest.status import Status


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that changes.

    Attributes:
        names: how it is called in each language.
        release: the one that brought it to its status.
        date: of that release, None if no document tells.
        status: in the newer release.
        before: its status in the older release where it had another, else "".
        before_whole: whether that was the status of the feature itself, and not of a part of it.
        sources: the sections that say so, one a document, the most trusted first.
    """

    names: Mapping[Language, str]
    release: Release
    date: date | None
    status: Status
    before: Status
    before_whole: bool
    sources: Sources

    def told(self, language: Language) -> Source:
        """The section to quote, one in the language if there is any."""
        return next((s for s in self.sources if s.document.language == language), self.sources[0])

    def quote(self, language: Language) -> str:
        """The sentence of the notes that tells it, word for word; the heading where none below it does."""
        source = self.told(language)
        return saying(source) or source.text(source.heading)

    def to_dict(self, language: Language) -> dict[str, Any]:
        """JSON-ready form."""
        source = self.told(language)
        return {
            "name": self.names[language],
            "names": dict(self.names),
            "release": str(self.release),
            "date": self.date.isoformat() if self.date else None,
            "status": self.status,
            "before": self.before or None,
            "before_whole": self.before_whole,
            "sources": [
                {
                    "heading": source.chunk.headings[-1],
                    "quote": self.quote(language),
                    "url": source.url,
                    "language": source.document.language,
                    "kind": source.document.kind,
                    "document_id": source.document.id,
                }
            ],
        }


def titles_of(sources: Sources) -> Mapping[Language, str]:
    """What sections are called in each language, in the other one where they exist in one only.

    A feature is called so too: "TorchBind objects in AOTInductor" are new, TorchBind is not.
    """
    titles = {source.document.language: source.title for source in reversed(sources)}
    return {language: titles.get(language, sources[0].title) for language in LANGUAGES}

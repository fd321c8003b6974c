"""A single change between two releases, with its sources."""

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
    """A single change.

    Attributes:
        names: name in each language.
        release: release that introduced the status.
        date: date of that release, None if unknown.
        status: status in the newer release.
        before: status in the older release if it was different, else "".
        before_whole: whether `before` was the status of the feature itself rather than of a part.
        sources: sections that say so, one per document, the most trusted first.
    """

    names: Mapping[Language, str]
    release: Release
    date: date | None
    status: Status
    before: Status
    before_whole: bool
    sources: Sources

    def told(self, language: Language) -> Source:
        """Return the section to quote.

        Args:
            language: preferred language.
        """
        return next((s for s in self.sources if s.document.language == language), self.sources[0])

    def quote(self, language: Language) -> str:
        """Return the sentence that states the change verbatim; the heading if no sentence does.

        Args:
            language: preferred language.
        """
        source = self.told(language)
        return saying(source) or source.text(source.heading)

    def to_dict(self, language: Language) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary.

        Args:
            language: language of the name, and preferred language of the quote.
        """
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
    """Return the title of a section in each language, in another language if there is only one version.

    Features are named by it as well: "TorchBind objects in AOTInductor" are new, TorchBind is not.

    Args:
        sources: versions of the section, at least one.
    """
    titles = {source.document.language: source.title for source in reversed(sources)}
    return {language: titles.get(language, sources[0].title) for language in LANGUAGES}

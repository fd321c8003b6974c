"""A mention: a sentence of the notes that has an API name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ingest.document import Kind, Language
from ingest.release import Release
from ingest.status import Status

_SHOWN = 3  # mentions of a name that are shown


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence of the notes that has a name.

    Attributes:
        release: of the notes, None for those of none.
        status: of its section, "" where it has none.
        heading: of its section.
        quote: the sentence as it stands in the document.
        url: where a reader finds it.
        language: of the document.
        kind: of the document.
        whole: it has the name in full, not its last part only.
        about: the heading has the name too, or its feature: the status is that of what the name is for.
        example: it is a line of code.
    """

    release: Release | None
    status: Status
    heading: str
    quote: str
    url: str
    language: Language
    kind: Kind
    whole: bool
    about: bool
    example: bool

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "release": str(self.release) if self.release else None,
            "status": self.status or None,
            "heading": self.heading,
            "quote": self.quote,
            "url": self.url,
            "language": self.language,
            "kind": self.kind,
            "whole": self.whole,
            "about": self.about,
            "example": self.example,
        }


@dataclass(frozen=True, slots=True)
class Mentions:
    """What the notes tell of one name.

    Attributes:
        name: in full.
        mentions: the most telling of each release, the oldest first.
        feature: id of the feature that the glossary has the name for, which `torchnotes history` tells; "".
    """

    name: str
    mentions: tuple[Mention, ...]
    feature: str

    @property
    def telling(self) -> tuple[Mention, ...]:
        """Those to show first: what ends a name or breaks it, the first release, the latest."""
        said = [each for each in self.mentions if each.about or not each.example]
        fates = [each for each in said if each.about and each.status in ("deprecated", "breaking")]
        chosen = [*fates[-2:], *said[:1], *said[-1:]][:_SHOWN] or [*self.mentions[:1]]
        return tuple(each for each in self.mentions if each in chosen)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "name": self.name,
            "mentions": [each.to_dict() for each in self.mentions],
            "feature": self.feature or None,
        }

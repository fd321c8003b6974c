"""Mentions of API names in the notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ingest.document import Kind, Language
from ingest.release import Release
from ingest.status import Status

_SHOWN = 3  # maximum number of mentions shown for a name


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence of the notes that contains a name.

    Attributes:
        release: release of the notes, None if they have none.
        status: status of the section, "" if it has none.
        heading: heading of the section.
        quote: sentence as in the document; of code, the line with the name.
        url: address of the section, or else of the document.
        language: language of the document.
        kind: kind of the document.
        whole: whether it contains the full name rather than only its last part.
        about: whether the heading names it, or its feature, so that the status applies to it.
        example: whether it is a line of code.
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
        """Return a JSON-serialisable dictionary."""
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
    """The mentions of a name.

    Attributes:
        name: full name.
        mentions: the most informative one of each release, oldest first.
        feature: id of the name's feature in the glossary, for `torchnotes history`; "" if there is none.
    """

    name: str
    mentions: tuple[Mention, ...]
    feature: str

    @property
    def telling(self) -> tuple[Mention, ...]:
        """Mentions to show first: deprecations and breaking changes, the first and the latest one."""
        said = [each for each in self.mentions if each.about or not each.example]
        fates = [each for each in said if each.about and each.status in ("deprecated", "breaking")]
        chosen = [*fates[-2:], *said[:1], *said[-1:]][:_SHOWN] or [*self.mentions[:1]]
        return tuple(each for each in self.mentions if each in chosen)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {
            "name": self.name,
            "mentions": [each.to_dict() for each in self.mentions],
            "feature": self.feature or None,
        }

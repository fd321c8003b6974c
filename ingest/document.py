"""A document: what a source says, cleaned, with where it came from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, get_args

from ingest.release import Release

Language = Literal["zh", "en"]
Kind = Literal["blog", "release-notes", "digest", "user"]

SOURCE_DIGITS = 10  # hex digits at the end of an id
LANGUAGES: tuple[Language, ...] = get_args(Language)
KINDS: tuple[Kind, ...] = get_args(Kind)


def source_of(document_id: str) -> str:
    """What of an id names the source: it stays when an edit changes the document's release or language.

    >>> source_of("user-2.4-en-0123456789"), source_of("notes-2.4")
    ('0123456789', 'notes-2.4')
    """
    match = re.fullmatch(rf".+-([0-9a-f]{{{SOURCE_DIGITS}}})", document_id)
    return match[1] if match else document_id


@dataclass(frozen=True, slots=True)
class Removal:
    """A stretch that cleaning took out of a source.

    Attributes:
        reason: why it went, in a few words ("navigation", "unrelated tail").
        lines: how many lines went.
        excerpt: how it began, at most 80 characters.
    """

    reason: str
    lines: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Document:
    """One release document.

    Attributes:
        id: short and stable: the same for the same path or address, another for any other.
        title: as the document calls itself.
        url: where a reader finds the original, or "" if unknown.
        release: the release it speaks of, or None.
        kind: blog, release-notes, digest or user.
        language: of its prose.
        date: of publication, or None.
        text: Markdown after cleaning; all spans count its characters.
        origin: the path or URL it was loaded from.
        removed: what cleaning took out.
    """

    id: str
    title: str
    url: str
    release: Release | None
    kind: Kind
    language: Language
    date: date | None
    text: str
    origin: str
    removed: tuple[Removal, ...] = field(default=())

    @property
    def version(self) -> str:
        """The release as text, "" when unknown."""
        return str(self.release) if self.release else ""

    @property
    def content_hash(self) -> str:
        """SHA-256 over everything that shapes the index: text and metadata."""
        parts = (self.title, self.url, self.version, self.kind, self.language, str(self.date), self.text)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        return {
            "id": self.id,
            "title": self.title,
            "url": self.url,
            "release": self.version or None,
            "kind": self.kind,
            "language": self.language,
            "date": self.date.isoformat() if self.date else None,
            "text": self.text,
            "origin": self.origin,
            "removed": [[r.reason, r.lines, r.excerpt] for r in self.removed],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Document:
        """Read what `to_dict` wrote."""
        return cls(
            id=data["id"],
            title=data["title"],
            url=data["url"],
            release=Release.parse(data["release"]) if data["release"] else None,
            kind=data["kind"],
            language=data["language"],
            date=date.fromisoformat(data["date"]) if data["date"] else None,
            text=data["text"],
            origin=data["origin"],
            removed=tuple(Removal(*r) for r in data["removed"]),
        )


def newest_told(documents: Iterable[Document]) -> Release | None:
    """Return the newest release that a dated document is about: of one without a date, plans may be all."""
    return max((each.release for each in documents if each.release and each.date), default=None)

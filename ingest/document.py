"""Documents: cleaned source texts with their metadata."""

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

SOURCE_DIGITS = 10  # hex digits of the source at the end of an id
LANGUAGES: tuple[Language, ...] = get_args(Language)
KINDS: tuple[Kind, ...] = get_args(Kind)


def source_of(document_id: str) -> str:
    """Return the part of an id that names the source, which does not change with release or language.

    Args:
        document_id: id of a document.

    >>> source_of("user-2.4-en-0123456789"), source_of("notes-2.4")
    ('0123456789', 'notes-2.4')
    """
    match = re.fullmatch(rf".+-([0-9a-f]{{{SOURCE_DIGITS}}})", document_id)
    return match[1] if match else document_id


@dataclass(frozen=True, slots=True)
class Removal:
    """A run of lines removed by cleaning.

    Attributes:
        reason: why it was removed, in a few words ("navigation", "unrelated tail").
        lines: number of lines.
        excerpt: its beginning, at most 80 characters.
    """

    reason: str
    lines: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Document:
    """A cleaned document.

    Attributes:
        id: short id, determined by path or address, kind, release and language; see `reading.document_id`.
        title: title, taken from the document where possible.
        url: address of the original, "" if unknown.
        release: release that the document is about, None if unknown.
        kind: "blog", "release-notes", "digest" or "user".
        language: language of the prose.
        date: date of publication, None if unknown.
        text: cleaned Markdown; all spans are character offsets in it.
        origin: path or URL that it was loaded from.
        removed: what cleaning removed.
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
        """The release as text, "" if unknown."""
        return str(self.release) if self.release else ""

    @property
    def content_hash(self) -> str:
        """SHA-256 of everything that affects the index: text and metadata."""
        parts = (self.title, self.url, self.version, self.kind, self.language, str(self.date), self.text)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary for `from_dict`."""
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
        """Create a document from the result of `to_dict`.

        Args:
            data: the dictionary.

        Raises:
            KeyError, ValueError, TypeError: it is not such a dictionary.
        """
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
    """Return the newest release that a dated document is about; undated ones may only contain plans.

    Args:
        documents: documents to look at.

    Returns:
        The release, None if there is none.
    """
    return max((each.release for each in documents if each.release and each.date), default=None)

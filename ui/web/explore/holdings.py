"""Statistics of the index by release, language and kind, and official documents that it lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from corpus.catalog import CatalogEntry
from index.storage.interface import Index
from ingest.document import KINDS, LANGUAGES, Document, Kind, Language
from ingest.release import Release


@dataclass(frozen=True, slots=True)
class HeldDocuments:
    """Documents of one kind and language.

    Attributes:
        kind: kind of the documents.
        language: their language.
        documents: number of documents.
        sections: number of sections in them.
    """

    kind: Kind
    language: Language
    documents: int
    sections: int


@dataclass(frozen=True, slots=True)
class ReleaseHoldings:
    """Documents of a release.

    Attributes:
        release: the release; None for documents without one.
        held: documents by language and kind.
        missing: official documents that are not in the index.
    """

    release: Release | None
    held: tuple[HeldDocuments, ...]
    missing: tuple[CatalogEntry, ...]


@dataclass(frozen=True, slots=True)
class Holdings:
    """Statistics of an index.

    Attributes:
        releases: releases, newest first, documents without one last; includes releases of the catalogue only.
        documents: number of documents.
        sections: number of sections.
        chunks: number of chunks.
        sentences: number of sentences.
        written: when the index last changed, None if unknown.
        synced: when a sync last completed, None if none did.
        embedder: name of the embedding model.
    """

    releases: tuple[ReleaseHoldings, ...]
    documents: int
    sections: int
    chunks: int
    sentences: int
    written: datetime | None
    synced: datetime | None
    embedder: str


def holdings(generation: Index, catalog: Iterable[CatalogEntry], synced: datetime | None = None) -> Holdings:
    """Compute the statistics of an index.

    Args:
        generation: the index.
        catalog: the official documents.
        synced: when a sync last completed, None if none did.
    """
    documents = generation.documents
    sections = Counter(document for document, _ in {(c.document_id, c.section) for c in generation.chunks})
    missing = [entry for entry in catalog if not _held(entry, documents.values())]
    wanting = {Release.parse(entry.release) for entry in missing}
    named = {document.release for document in documents.values()} | wanting
    order = [*sorted((r for r in named if r), reverse=True), *([None] if None in named else [])]
    manifest = generation.manifest
    return Holdings(
        releases=tuple(
            ReleaseHoldings(
                release,
                _of((d for d in documents.values() if d.release == release), sections),
                tuple(entry for entry in missing if release and Release.parse(entry.release) == release),
            )
            for release in order
        ),
        documents=len(documents),
        sections=sections.total(),
        chunks=manifest.chunks,
        sentences=manifest.sentences,
        written=datetime.fromisoformat(manifest.created) if manifest.created else None,
        synced=synced,
        embedder=manifest.parameters.embedder,
    )


def _of(documents: Iterable[Document], sections: Counter[str]) -> tuple[HeldDocuments, ...]:
    """Count documents by language and kind."""
    groups: dict[tuple[Language, Kind], list[Document]] = {}
    for document in documents:
        groups.setdefault((document.language, document.kind), []).append(document)
    return tuple(
        HeldDocuments(kind, language, len(group), sum(sections[document.id] for document in group))
        for language in LANGUAGES
        for kind in KINDS
        if (group := groups.get((language, kind)))
    )


def _held(entry: CatalogEntry, documents: Iterable[Document]) -> bool:
    """Return whether an official document is in the index: by address, or a copy by release and kind."""
    facts = (entry.release, entry.kind, entry.language)
    return any(d.origin == entry.url or (d.version, d.kind, d.language) == facts for d in documents)

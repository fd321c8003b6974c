"""What an index holds by release, language and kind, and which official documents it lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from corpus.catalog import CatalogEntry
from index.storage.generation import Generation
from ingest.document import KINDS, LANGUAGES, Document, Kind, Language
from ingest.release import Release


@dataclass(frozen=True, slots=True)
class Held:
    """How many documents of one kind and language, and the sections in them."""

    kind: Kind
    language: Language
    documents: int
    sections: int


@dataclass(frozen=True, slots=True)
class ReleaseHoldings:
    """What there is of a release.

    Attributes:
        release: None for documents that name none.
        held: in the order of languages and kinds.
        missing: official documents that are not in the index.
    """

    release: Release | None
    held: tuple[Held, ...]
    missing: tuple[CatalogEntry, ...]


@dataclass(frozen=True, slots=True)
class Holdings:
    """What there is in all.

    Attributes:
        releases: the newest first, what names none last; also releases of which only the catalogue knows.
        documents, sections, chunks, sentences: how many.
        written: when the index last changed, None if it does not tell.
        synced: when a sync last came to its end, None if none did.
        embedder: the model of its vectors.
    """

    releases: tuple[ReleaseHoldings, ...]
    documents: int
    sections: int
    chunks: int
    sentences: int
    written: datetime | None
    synced: datetime | None
    embedder: str


def holdings(
    generation: Generation, catalog: Iterable[CatalogEntry], synced: datetime | None = None
) -> Holdings:
    """What a generation holds.

    Args:
        generation: of the index.
        catalog: the official documents.
        synced: when a sync last came to its end.
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


def _of(documents: Iterable[Document], sections: Counter[str]) -> tuple[Held, ...]:
    """Documents counted by language and kind."""
    groups: dict[tuple[Language, Kind], list[Document]] = {}
    for document in documents:
        groups.setdefault((document.language, document.kind), []).append(document)
    return tuple(
        Held(kind, language, len(group), sum(sections[document.id] for document in group))
        for language in LANGUAGES
        for kind in KINDS
        if (group := groups.get((language, kind)))
    )


def _held(entry: CatalogEntry, documents: Iterable[Document]) -> bool:
    """Whether an official document is in the index: by its address, or a copy by release and kind."""
    facts = (entry.release, entry.kind, entry.language)
    return any(d.origin == entry.url or (d.version, d.kind, d.language) == facts for d in documents)

"""What an index holds, counted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest

from assistant.factory import shipped_documents
from corpus.catalog import CatalogEntry, load_catalog
from index.storage.generation import Generation
from ingest.document import Kind, Language
from ingest.reading import read_document
from tests.assistant.lives import FLEX_BETA, FLEX_PROTOTYPE, ZH_FLEX, document
from tests.assistant.upgrades import built
from ui.web.explore.holdings import HeldDocuments, holdings

Made = Callable[..., CatalogEntry]


def entry(release: str, kind: Kind, language: Language = "en", url: str = "") -> CatalogEntry:
    url = url or f"https://example.org/official/{release}-{kind}-{language}"
    return CatalogEntry(f"{kind}-{release}-{language}", release, kind, language, None, "Notes", url, "MIT")


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Generation:
    loose = read_document("# Our own\n\nNothing here names a release.\n", "own.md", facts={"kind": "user"})
    documents = [
        document("2.9", FLEX_PROTOTYPE + "## Another\n\nIt has two sections.\n", kind="blog"),
        document("2.10", FLEX_BETA, kind="blog"),
        document("2.10", FLEX_BETA + "It is settled.\n", kind="digest"),
        document("2.10", ZH_FLEX, "zh", kind="digest"),
        loose,
    ]
    return built(tmp_path_factory.mktemp("held"), documents)[0]


def test_documents_and_sections_are_counted_by_release(generation: Generation) -> None:
    held = holdings(generation, [])
    assert [str(each.release) for each in held.releases] == ["2.10", "2.9", "None"]
    newest, older, _ = held.releases
    assert newest.held == (
        HeldDocuments("digest", "zh", 1, 1),
        HeldDocuments("blog", "en", 1, 1),
        HeldDocuments("digest", "en", 1, 1),
    )
    assert older.held == (HeldDocuments("blog", "en", 1, 2),)
    assert (held.documents, held.sections, held.chunks) == (5, 6, len(generation.chunks))
    assert held.sentences == sum(len(chunk.sentences) for chunk in generation.chunks)


def test_when_and_with_what_it_was_built(generation: Generation) -> None:
    synced = datetime(2026, 1, 2, tzinfo=timezone.utc)
    held = holdings(generation, [], synced)
    assert held.written == datetime.fromisoformat(generation.manifest.created)
    assert held.written.tzinfo and held.synced == synced and held.embedder == "light"


def test_official_documents_that_are_missing_are_named(generation: Generation) -> None:
    official = [
        entry("2.10", "blog"),
        entry("2.10", "release-notes"),
        entry("2.10", "blog", "zh"),
        entry("2.14", "blog"),
        entry("2.9", "blog"),
    ]
    held = holdings(generation, official)
    missing = {str(each.release): [e.id for e in each.missing] for each in held.releases}
    assert missing == {
        "2.14": ["blog-2.14-en"],
        "2.10": ["release-notes-2.10-en", "blog-2.10-zh"],
        "2.9": [],
        "None": [],
    }
    assert held.releases[0].held == ()


def test_a_digest_is_not_the_document_that_it_digests(tmp_path: Path) -> None:
    shipped = [d for d in shipped_documents() if d.version == "2.8"]
    held = holdings(built(tmp_path, shipped)[0], load_catalog())
    assert {e.kind for each in held.releases if str(each.release) == "2.8" for e in each.missing} == {
        "blog",
        "release-notes",
    }
    assert sum(len(each.missing) for each in held.releases) == len(load_catalog())


def test_what_was_synced_is_known_by_its_address(tmp_path: Path) -> None:
    """A page may call itself otherwise than the catalogue does."""
    address = "https://example.org/post"
    taken = read_document(FLEX_BETA, address, facts={"release": "2.10", "kind": "user", "language": "en"})
    held = holdings(built(tmp_path, [taken])[0], [entry("2.10", "blog", url=address)])
    assert [each.missing for each in held.releases] == [()]

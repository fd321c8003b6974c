"""What the tests of the index share."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.storage.store import IndexBuilder, Store
from ingest.document import Document
from tests.index.light import LightEmbedder, make_builder, sample_documents


@pytest.fixture
def embedder() -> LightEmbedder:
    """An embedder that counts."""
    return LightEmbedder()


@pytest.fixture
def builder(embedder: LightEmbedder) -> IndexBuilder:
    """A builder over the counting embedder."""
    return make_builder(embedder)


@pytest.fixture
def documents() -> list[Document]:
    """Three documents in two languages."""
    return sample_documents()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store without an index."""
    return Store(tmp_path / "home", lock_timeout=5)


@pytest.fixture
def filled(store: Store, builder: IndexBuilder, documents: list[Document], embedder: LightEmbedder) -> Store:
    """A store that holds the three documents; the embedder's count starts again."""
    store.update(documents, builder=builder)
    embedder.embedded.clear()
    return store

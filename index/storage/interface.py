"""What the rest of torchnotes needs of an index, wherever it is kept.

`index.search.retriever.Retriever` searches an `Index`; commands and the factory manage a `Store`. There are
two of each: a folder of files (`generation.py`, `store.py`: FAISS and our postings in memory), and Milvus
(`index.milvus`: vectors and postings on a server).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from index.scope import Scope
from index.storage.changes import UpdateReport
from index.storage.manifest import Manifest, Parameters
from ingest.chunk import Chunk
from ingest.document import Document

if TYPE_CHECKING:  # it imports the embedders
    from index.storage.builder import IndexBuilder

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
BuildProgress = Callable[[str, int, int], None]


class Vectors(Protocol):
    """Unit vectors by row."""

    @property
    def dimension(self) -> int:
        """Length of each vector."""

    def __len__(self) -> int: ...

    def rows(self, numbers: Ints) -> Floats:
        """Return stored vectors, shape (n, dimension).

        Args:
            numbers: row numbers, shape (n,).
        """

    def expect(self, numbers: Ints) -> None:
        """Be told which rows will be asked for one after another, to get them at once.

        Args:
            numbers: row numbers, shape (n,).
        """

    def nearest(self, query: Floats, limit: int, scopes: Sequence[Scope | None]) -> list[tuple[Ints, Floats]]:
        """Find the nearest vectors once for each scope.

        Args:
            query: unit vector, shape (dimension,).
            limit: maximum number of rows in each result.
            scopes: for each result, the rows to choose from; None: all.

        Returns:
            Row numbers and cosines for each scope, best first.
        """


class Terms(Protocol):
    """BM25 over the segmenter's terms."""

    @property
    def size(self) -> int:
        """Number of texts."""

    def __contains__(self, term: str) -> bool: ...

    def idf(self, term: str) -> float:
        """Return the inverse document frequency of a term, the highest one for an unknown term.

        Args:
            term: a term.
        """

    def resembling(self, word: str) -> str:
        """Return the indexed term that a misspelled word most likely stands for, "" if none is close enough.

        Args:
            word: the word as typed.
        """

    def holding(self, terms: Collection[str]) -> Ints:
        """Return the rows of the texts that contain all terms, ascending.

        Args:
            terms: terms to look for; without any, no text is returned.
        """

    def ranked(self, terms: Mapping[str, float], limit: int, scopes: Sequence[Scope | None]) -> list[Ints]:
        """Return the rows of the texts with the highest scores above 0, best first, once for each scope.

        Args:
            terms: weight of each query term, above 0.
            limit: maximum number of texts in each result.
            scopes: for each result, the texts to choose from; None: all.
        """


class Index(Protocol):
    """One complete, immutable state of an index; the attributes are those of `generation.Generation`."""

    @property
    def name(self) -> str:
        """Name of the generation; two of one name have the same content."""

    @property
    def documents(self) -> Mapping[str, Document]:
        """Documents by id, in index order."""

    @property
    def chunks(self) -> Sequence[Chunk]:
        """Chunks; those of one document are consecutive. The position is the row."""

    @property
    def chunk_vectors(self) -> Vectors:
        """Vector of each chunk."""

    @property
    def sentence_vectors(self) -> Vectors:
        """Vector of each sentence; those of one chunk are consecutive."""

    @property
    def terms(self) -> Terms:
        """BM25 of the chunks' texts."""

    @property
    def heading_terms(self) -> Terms:
        """BM25 of the chunks' heading paths."""

    @property
    def manifest(self) -> Manifest:
        """Parameters and counts."""


class IndexStore(Protocol):
    """Where an index is kept: read, updated and repaired. See `index.storage.store.Store` for the errors."""

    @property
    def place(self) -> str:
        """Where it is, for messages."""

    def current(self) -> str | None:
        """Return the name of the current generation, None without an index; a change means: reopen."""

    def manifest(self) -> Manifest:
        """Read the manifest of the current generation only."""

    def open(self, expect: Parameters | None = None) -> Index:
        """Open the current generation.

        Args:
            expect: parameters it must have been built with; None: any.
        """

    def update(
        self,
        add: Sequence[Document] = (),
        remove: Collection[str] = (),
        *,
        builder: IndexBuilder,
        shipped: str | None = None,
        progress: BuildProgress | None = None,
    ) -> UpdateReport:
        """Add and remove documents; nothing is written if nothing changes.

        Args:
            add: documents to add; each replaces the stored ones of its source.
            remove: ids of documents to remove.
            builder: a builder with the parameters of the index.
            shipped: fingerprint of the shipped documents; None: unchanged.
            progress: callback for progress.
        """

    def rebuild(
        self,
        add: Sequence[Document] = (),
        remove: Collection[str] = (),
        *,
        builder: IndexBuilder,
        shipped: str = "",
        progress: BuildProgress | None = None,
    ) -> UpdateReport:
        """Build the index from scratch from the stored documents.

        Args:
            add: documents to add; each replaces the stored ones of its source.
            remove: ids of documents to remove.
            builder: a builder with any parameters.
            shipped: fingerprint of the shipped documents, "" for none.
            progress: callback for progress.
        """

    def documents(self) -> Mapping[str, Document]:
        """Return the stored documents by id."""

    def verify(self) -> list[str]:
        """Compare what is stored with what was written; return one line for each fault."""

"""Nearest vectors by cosine: FAISS, exact while small, a graph when large."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import faiss

# Up to here an exact scan takes a few milliseconds; above, HNSW answers in well under one.
FLAT_LIMIT = 50_000
_GRAPH_NEIGHBOURS = 16
_GRAPH_BUILD_BREADTH = 80
_GRAPH_SEARCH_BREADTH = 128

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class VectorIndex:
    """Unit vectors, searched by inner product."""

    def __init__(self, index: faiss.Index) -> None:
        self._index = index

    @classmethod
    def build(cls, vectors: Floats) -> VectorIndex:
        """Index the rows of an (n, dimension) array."""
        import faiss

        rows, dimension = vectors.shape
        index: Any
        if rows <= FLAT_LIMIT:
            index = faiss.IndexFlatIP(dimension)
        else:
            index = faiss.IndexHNSWFlat(dimension, _GRAPH_NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction = _GRAPH_BUILD_BREADTH
            index.hnsw.efSearch = _GRAPH_SEARCH_BREADTH
        index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        return cls(index)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._index.d)

    def search(self, query: Floats, limit: int, *, allowed: Ints | None = None) -> tuple[Ints, Floats]:
        """Row numbers and cosines of the nearest vectors, best first.

        Args:
            query: (dimension,) unit vector.
            limit: at most this many.
            allowed: sorted row numbers to choose from; None: all.
        """
        import faiss

        limit = min(limit, len(self) if allowed is None else len(allowed))
        if limit == 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        parameters = None
        if allowed is not None:
            selector = faiss.IDSelectorBatch(allowed)
            if isinstance(self._index, faiss.IndexHNSW):
                parameters = faiss.SearchParametersHNSW(
                    sel=selector, efSearch=max(limit, _GRAPH_SEARCH_BREADTH)
                )
            else:
                parameters = faiss.SearchParameters(sel=selector)
        scores, rows = self._index.search(query.reshape(1, -1), limit, params=parameters)
        found = rows[0] >= 0
        return rows[0][found], scores[0][found]

    def rows(self, numbers: Ints) -> Floats:
        """The stored vectors of these rows, (n, dimension)."""
        return np.asarray(self._index.reconstruct_batch(numbers), dtype=np.float32)

    def save(self, path: Path) -> None:
        """Write to a file."""
        import faiss

        faiss.write_index(self._index, str(path))

    @classmethod
    def load(cls, path: Path) -> VectorIndex:
        """Read what `save` wrote."""
        import faiss

        return cls(faiss.read_index(str(path)))

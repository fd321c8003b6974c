"""Nearest-neighbour search by cosine with FAISS: exact for small indexes, inverted lists for large ones.

A query uses one thread. On a busy machine OpenMP waits for threads that are not scheduled, which takes 17 ms
instead of 0.7 ms for 14,000 vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from index.dense.inverted import build_lists, lists_fit, mapped_lists, search_lists, updated_lists
from index.ranking import best
from index.scope import Scope

if TYPE_CHECKING:
    import faiss

# An exact scan of this many vectors takes 2 to 3 ms; inverted lists take 1 ms.
FLAT_LIMIT = 50_000

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


class VectorIndex:
    """Unit vectors, searched by inner product.

    Args:
        index: a flat FAISS index, or one made by `build_lists`.
        path: file that its vectors are in, see `mapped_lists`; None: they are in memory.
    """

    def __init__(self, index: faiss.Index, path: Path | None = None) -> None:
        self._index: Any = index
        self._path = path

    @classmethod
    def build(cls, vectors: Floats) -> VectorIndex:
        """Build an index: exact up to `FLAT_LIMIT` vectors, with inverted lists above.

        Args:
            vectors: unit vectors, shape (n, dimension); may be memory-mapped.
        """
        import faiss

        rows, dimension = vectors.shape
        if rows > FLAT_LIMIT:
            return cls(build_lists(vectors))
        index = faiss.IndexFlatIP(dimension)
        index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        return cls(index)

    def updated(self, kept: Ints, fresh: Floats) -> VectorIndex:
        """Return a new index with some of the rows and some new ones.

        Args:
            kept: for each row of the result, its row here, or -1 for the next one of `fresh`; shape (n,).
            fresh: new vectors, shape (number of -1 in `kept`, dimension).
        """
        if len(kept) > FLAT_LIMIT and lists_fit(self._index, len(kept)):
            return VectorIndex(updated_lists(self._copy(), kept, fresh))
        vectors = np.empty((len(kept), self.dimension), np.float32)
        old = kept >= 0
        vectors[old] = self.rows(kept[old])
        vectors[~old] = fresh
        return VectorIndex.build(vectors)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return int(self._index.d)

    @property
    def exact(self) -> bool:
        """Whether a query is compared with every vector."""
        import faiss

        return isinstance(self._index, faiss.IndexFlat)

    def search(self, query: Floats, limit: int, *, allowed: Ints | None = None) -> tuple[Ints, Floats]:
        """Find the nearest vectors, best first.

        Args:
            query: unit vector, shape (dimension,).
            limit: maximum number of rows to return.
            allowed: ascending row numbers to choose from; None: all.

        Returns:
            Row numbers and cosines.
        """
        if allowed is not None and (self.exact or len(allowed) <= limit):
            cosines = self._cosines(query, self.rows(allowed))
            chosen = best(cosines, limit)
            return allowed[chosen], cosines[chosen]
        mask = None
        if allowed is not None:
            mask = np.zeros(len(self), np.bool_)
            mask[allowed] = True
        return self.search_each(query, limit, [mask])[0]

    def nearest(self, query: Floats, limit: int, scopes: Sequence[Scope | None]) -> list[tuple[Ints, Floats]]:
        """Find the nearest vectors once for each scope.

        Args:
            query: unit vector, shape (dimension,).
            limit: maximum number of rows in each result.
            scopes: for each result, the rows to choose from; None: all.

        Returns:
            Row numbers and cosines for each scope, best first.
        """
        few = [scope.few for scope in scopes if scope is not None and scope.few is not None]
        if few and len(few) == len(scopes):
            return [self.search(query, limit, allowed=rows) for rows in few]
        return self.search_each(query, limit, [None if scope is None else scope.mask for scope in scopes])

    def expect(self, numbers: Ints) -> None:
        """Do nothing: the vectors are here. See `index.storage.interface.Vectors`.

        Args:
            numbers: row numbers, shape (n,).
        """

    def search_each(
        self, query: Floats, limit: int, masks: Sequence[Mask | None]
    ) -> list[tuple[Ints, Floats]]:
        """Find the nearest vectors once for each mask; an exact index computes the cosines only once.

        Args:
            query: unit vector, shape (dimension,).
            limit: maximum number of rows in each result.
            masks: for each result, the rows to choose from, shape (n,); None: all.

        Returns:
            Row numbers and cosines for each mask, best first.
        """
        if not self.exact:
            return [search_lists(self._index, query, limit, mask) for mask in masks]
        cosines = self._cosines(query)
        found = []
        for mask in masks:
            rows = None if mask is None else np.flatnonzero(mask)
            chosen = best(cosines if rows is None else cosines[rows], limit)
            chosen = chosen if rows is None else rows[chosen]
            found.append((chosen, cosines[chosen]))
        return found

    def _cosines(self, query: Floats, vectors: Floats | None = None) -> Floats:
        """Return the inner products, all computed in the same way: equal vectors get equal values."""
        import faiss

        count = len(self) if vectors is None else len(vectors)
        cosines = np.empty(count, np.float32)
        if count:
            query = np.ascontiguousarray(query, np.float32)
            start = self._index.get_xb() if vectors is None else faiss.swig_ptr(vectors)
            faiss.fvec_inner_products_ny(
                faiss.swig_ptr(cosines), faiss.swig_ptr(query), start, self.dimension, count
            )
        return cosines

    def rows(self, numbers: Ints) -> Floats:
        """Return stored vectors, shape (n, dimension).

        Args:
            numbers: row numbers, shape (n,).
        """
        return np.asarray(self._index.reconstruct_batch(numbers), dtype=np.float32)

    def save(self, path: Path) -> None:
        """Write the FAISS index to a file.

        Args:
            path: file to write.
        """
        import faiss

        faiss.write_index(self._copy() if self._path else self._index, str(path))

    @classmethod
    def load(cls, path: Path) -> VectorIndex:
        """Read a file written by `save`; the vectors of a large one stay in it.

        Args:
            path: file to read.

        Raises:
            RuntimeError, ValueError: it is damaged.
        """
        index, mapped = mapped_lists(path)
        return cls(index, path if mapped else None)

    def _copy(self) -> Any:  # noqa: ANN401 - FAISS has no types
        """Return a copy with all vectors in memory."""
        import faiss

        return faiss.read_index(str(self._path)) if self._path else faiss.clone_index(self._index)

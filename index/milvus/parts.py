"""Vectors and terms of a generation in Milvus, with the interface of `index.storage.interface`."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from index.lexical.vocabulary import Vocabulary
from index.milvus.server import MOST, Floats, Ints, Server
from index.scope import Scope
from ingest.errors import IndexMismatchError

_KEPT = 20_000  # vectors kept here, 30 MB of 384 numbers each
_AT_ONCE = 1000  # vectors asked for in one call


class MilvusVectors:
    """Vectors of a collection; those that were read last are kept.

    Args:
        server: the server.
        collection: name of the collection; its rows are 0 to `size`.
        size: number of vectors.
        dimension: length of each vector.

    Attributes:
        dimension: length of each vector.
    """

    def __init__(self, server: Server, collection: str, size: int, dimension: int) -> None:
        self._server = server
        self._collection = collection
        self._size = size
        self.dimension = dimension
        self._kept: OrderedDict[int, Floats] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._size

    def rows(self, numbers: Ints) -> Floats:
        """Return stored vectors, shape (n, dimension).

        Args:
            numbers: row numbers, shape (n,).

        Raises:
            IndexMismatchError: the generation was removed, or lacks rows.
            TorchnotesError: the server does not answer.
        """
        wanted = numbers.tolist()
        with self._lock:
            found = {row: self._kept[row] for row in wanted if row in self._kept}
        missing = np.array([row for row in dict.fromkeys(wanted) if row not in found], np.int64)
        for start in range(0, len(missing), _AT_ONCE):
            for row in self._server.rows(self._collection, missing[start : start + _AT_ONCE], ["vector"]):
                found[row["row"]] = np.asarray(row["vector"], np.float32)
        if not found.keys() >= {*wanted}:
            raise IndexMismatchError(
                f"index {self._server.address.text}: rows of {self._collection} are missing; "
                "type `torchnotes rebuild`, or copy the index there again"
            )
        with self._lock:
            for row in dict.fromkeys(wanted):
                self._kept[row] = found[row]
                self._kept.move_to_end(row)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return (
            np.stack([found[row] for row in wanted]) if wanted else np.empty((0, self.dimension), np.float32)
        )

    def expect(self, numbers: Ints) -> None:
        """Read vectors that will be asked for one after another.

        Args:
            numbers: row numbers, shape (n,).
        """
        self.rows(numbers)

    def nearest(self, query: Floats, limit: int, scopes: Sequence[Scope | None]) -> list[tuple[Ints, Floats]]:
        """Find the nearest vectors once for each scope, see `index.storage.interface.Vectors`.

        Args:
            query: unit vector, shape (dimension,).
            limit: maximum number of rows in each result.
            scopes: for each result, the rows to choose from; None: all.
        """
        return [
            (np.empty(0, np.int64), np.empty(0, np.float32))
            if scope is not None and scope.few is not None and not len(scope.few)
            else self._server.search(self._collection, "vector", query, limit, condition(scope))
            for scope in scopes
        ]


class MilvusTerms(Vocabulary):
    """BM25 over sparse vectors of our own term weights; the vocabulary is here.

    Args:
        server: the server.
        collection: name of the collection of chunks.
        field: field with the weights, by number of the term plus 1.
        numbers: number of each term.
        held: number of texts that contain each term, shape (terms,).
        size: number of texts.
    """

    def __init__(
        self, server: Server, collection: str, field: str, numbers: dict[str, int], held: Ints, size: int
    ) -> None:
        super().__init__(numbers, held, size)
        self._server = server
        self._collection = collection
        self._field = field

    def holding(self, terms: Collection[str]) -> Ints:
        """Return the rows of the texts that contain all terms, ascending.

        Args:
            terms: terms to look for; without any, no text is returned.
        """
        numbers = [self.numbers.get(term) for term in terms]
        if not numbers or None in numbers:
            return np.empty(0, np.int64)
        rarest = sorted({n for n in numbers if n is not None}, key=lambda n: (int(self.held[n]), n))
        found: Ints | None = None
        for number in rarest:
            rows = np.sort(np.concatenate([np.empty(0, np.int64), *self._with(number)]))
            found = rows if found is None else np.intersect1d(found, rows, assume_unique=True)
            if not len(found):
                break
        return np.empty(0, np.int64) if found is None else found

    def ranked(self, terms: Mapping[str, float], limit: int, scopes: Sequence[Scope | None]) -> list[Ints]:
        """Return the best texts once for each scope, see `index.storage.interface.Terms`.

        Args:
            terms: weight of each query term, above 0.
            limit: maximum number of texts in each result.
            scopes: for each result, the texts to choose from; None: all.
        """
        weights = {self.numbers[term] + 1: float(w) for term, w in terms.items() if term in self.numbers}
        if not weights:
            return [np.empty(0, np.int64) for _ in scopes]
        return [
            self._server.search(self._collection, self._field, weights, limit, condition(scope))[0]
            for scope in scopes
        ]

    def _with(self, number: int) -> Iterator[Ints]:
        """Yield the rows of the texts with a term, as many as a reply has."""
        weights, count = {number + 1: 1.0}, int(self.held[number])
        if count <= MOST:
            yield self._server.search(self._collection, self._field, weights, max(count, 1), "")[0]
            return
        for start in range(0, self.size, MOST):
            window = f"row >= {start} and row < {start + MOST}"
            yield self._server.search(self._collection, self._field, weights, MOST, window)[0]


def condition(scope: Scope | None) -> str:
    """Return a scope as a filter in the language of Milvus, "" for all.

    Args:
        scope: what may be found.
    """
    if scope is None:
        return ""
    releases = ", ".join(f'"{release or ""}"' for release in scope.releases)
    parts = [f"release {'not in' if scope.others else 'in'} [{releases}]"]
    parts += [f'language == "{scope.language}"'] if scope.language else []
    parts += [f'kind == "{scope.kind}"'] if scope.kind else []
    return " and ".join(parts)

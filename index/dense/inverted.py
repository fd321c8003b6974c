"""Inverted lists of many vectors: each lies with its nearest centre; a question looks at the nearest lists.

Vectors are kept in 16 bits a number, so that what is read back and stored again stays the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import faiss

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Lists: TypeAlias = "faiss.IndexIVFScalarQuantizer"

_MOST_LISTS = 2048
_SAMPLE = 64  # vectors a list that the centres are found from
_COMPARED = 16_000  # vectors that a question is compared with, about
_PROBES = (16, 512)  # lists it looks at, at least and at most
_BLOCK = 65_536  # vectors converted at a time
_STRETCH = 1.5  # lists serve until there should be so many times as many, or as few


def lists_for(rows: int) -> int:
    """How many lists suit so many vectors."""
    return max(1, min(_MOST_LISTS, 2 * math.isqrt(rows)))


def lists_fit(index: faiss.Index, rows: int) -> bool:
    """Whether an index has lists, about as many as suit so many vectors."""
    found = getattr(index, "nlist", 0)
    return bool(found) and 1 / _STRETCH <= lists_for(rows) / found <= _STRETCH


def build_lists(vectors: Floats) -> Lists:
    """Index the rows of an (n, dimension) array, read in blocks: it may be mapped from a file."""
    import faiss

    rows, dimension = vectors.shape
    count = lists_for(rows)
    index = faiss.IndexIVFScalarQuantizer(
        faiss.IndexFlatIP(dimension),
        dimension,
        count,
        faiss.ScalarQuantizer.QT_fp16,
        faiss.METRIC_INNER_PRODUCT,
        False,
    )
    index.cp.min_points_per_centroid = 1
    index.cp.max_points_per_centroid = _SAMPLE
    index.cp.spherical = True
    chosen = np.random.default_rng(0).choice(rows, min(rows, count * _SAMPLE), replace=False)
    index.train(np.ascontiguousarray(vectors[np.sort(chosen)], np.float32))
    for start in range(0, rows, _BLOCK):
        index.add(np.ascontiguousarray(vectors[start : start + _BLOCK], np.float32))
    index.make_direct_map()
    return index


def updated_lists(index: Lists, kept: Ints, fresh: Floats) -> Lists:
    """Another index with the same centres, some of the rows and new ones (see `VectorIndex.updated`)."""
    import faiss

    place = np.full(index.ntotal, -1, np.int64)
    stays = kept >= 0
    place[kept[stays]] = np.flatnonzero(stays)
    other: Any = faiss.clone_index(index)
    other.set_direct_map_type(faiss.DirectMap.NoMap)
    gone = np.flatnonzero(place < 0).astype(np.int64)
    if len(gone):
        other.remove_ids(faiss.IDSelectorBatch(gone))
    for number in range(other.nlist):
        size = other.invlists.list_size(number)
        if size:
            ids = faiss.rev_swig_ptr(other.invlists.get_ids(number), size)
            ids[:] = place[ids]
    if len(fresh):
        other.add_with_ids(np.ascontiguousarray(fresh, np.float32), np.flatnonzero(~stays).astype(np.int64))
    other.make_direct_map()
    return other


def search_lists(
    index: Lists, query: Floats, limit: int, mask: NDArray[np.bool_] | None
) -> tuple[Ints, Floats]:
    """Row numbers and cosines of the nearest vectors, best first, equal ones by row.

    Args:
        index: what `build_lists` made.
        query: (dimension,) unit vector.
        limit: at most this many.
        mask: which rows to choose from, (n,); None: all. The fewer they are, the more lists are looked at.
    """
    import faiss

    allowed = index.ntotal if mask is None else int(np.count_nonzero(mask))
    limit = min(limit, allowed)
    if limit == 0:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    least, most = _PROBES
    probes = min(max(_COMPARED * index.nlist // allowed, least), most, index.nlist)
    bits = None if mask is None else np.packbits(mask, bitorder="little")
    selector = None if bits is None else faiss.IDSelectorBitmap(bits)
    parameters = faiss.SearchParametersIVF(sel=selector, nprobe=probes)
    with _one_thread():
        scores, rows = index.search(np.asarray(query, np.float32).reshape(1, -1), limit, params=parameters)
    rows, scores = rows[0][rows[0] >= 0], scores[0][rows[0] >= 0]
    order = np.lexsort((rows, -scores))
    return rows[order], scores[order]


@contextmanager
def _one_thread() -> Iterator[None]:
    """Search without OpenMP's other threads; what is set holds for the calling thread alone."""
    import faiss

    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(threads)

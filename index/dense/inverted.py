"""Approximate search with inverted lists, for large sets of vectors.

Each vector is stored in the list of its nearest centroid; a query is compared with the vectors of the lists
nearest to it. Vectors are stored as 16-bit floats, so that reading and storing them again does not change
them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import faiss

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Lists: TypeAlias = "faiss.IndexIVFScalarQuantizer"

_MOST_LISTS = 2048
_SAMPLE = 64  # vectors per list that the centroids are trained on
_COMPARED = 16_000  # approximate number of vectors compared with a query
_PROBES = (16, 512)  # minimum and maximum number of lists searched
_BLOCK = 65_536  # vectors converted at a time
_STRETCH = 1.5  # lists are retrained when their ideal number differs by more than this factor


def lists_for(rows: int) -> int:
    """Return the number of lists for a number of vectors.

    Args:
        rows: number of vectors.
    """
    return max(1, min(_MOST_LISTS, 2 * math.isqrt(rows)))


def lists_fit(index: faiss.Index, rows: int) -> bool:
    """Return whether an index has inverted lists, and about as many as `lists_for` gives.

    Args:
        index: any FAISS index.
        rows: number of vectors that it is to hold.
    """
    found = getattr(index, "nlist", 0)
    return bool(found) and 1 / _STRETCH <= lists_for(rows) / found <= _STRETCH


def build_lists(vectors: Floats) -> Lists:
    """Train centroids and index vectors.

    Args:
        vectors: shape (n, dimension); read in blocks, so it may be memory-mapped.
    """
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


def mapped_lists(path: Path) -> tuple[faiss.Index, bool]:
    """Read a FAISS index, but leave inverted lists in the file: the system reads what is looked at.

    Processes share what was read, and the system takes it back where memory is short. A file that is deleted
    stays readable; one that somebody cuts shorter meanwhile ends the process.

    Args:
        path: file of any FAISS index.

    Returns:
        The index, and whether its vectors are in the file; such an index cannot be changed or written.

    Raises:
        RuntimeError, ValueError: the file is damaged.
    """
    import faiss

    if sys.platform == "win32":  # FAISS maps no lists there, and a mapped file could not be deleted
        return faiss.read_index(str(path)), False
    index: Any = faiss.read_index(str(path), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)
    if not isinstance(index, faiss.IndexIVF):
        return index, False
    lists: Any = faiss.downcast_InvertedLists(index.invlists)
    if not isinstance(lists, faiss.OnDiskInvertedLists):  # one without any vector
        return index, False
    lists.prefetch_nthread = 0  # threads started for each query take longer than the query
    held = sum(lists.list_size(number) for number in range(index.nlist))
    if held != index.ntotal or lists.totsize > path.stat().st_size:
        raise ValueError(f"{path.name} has {held} vectors in its lists instead of {index.ntotal}")
    return index, True


def updated_lists(other: Any, kept: Ints, fresh: Floats) -> Lists:  # noqa: ANN401 - FAISS has no types
    """Turn an index into one with the same centroids, some of the rows and some new ones.

    Args:
        other: an index made by `build_lists`; it is changed.
        kept: for each row of the result, its row in `other`, or -1 for the next one of `fresh`; shape (n,).
        fresh: new vectors, shape (number of -1 in `kept`, dimension).
    """
    import faiss

    place = np.full(other.ntotal, -1, np.int64)
    stays = kept >= 0
    place[kept[stays]] = np.flatnonzero(stays)
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
    lists: Lists = other
    return lists


def search_lists(
    index: Lists, query: Floats, limit: int, mask: NDArray[np.bool_] | None
) -> tuple[Ints, Floats]:
    """Find the nearest vectors, best first, equal cosines by row.

    Args:
        index: an index made by `build_lists`.
        query: unit vector, shape (dimension,).
        limit: maximum number of rows to return.
        mask: rows to choose from, shape (n,); None: all. The fewer rows, the more lists are searched.

    Returns:
        Row numbers and cosines.
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
    """Limit OpenMP to one thread; the setting affects the calling thread only."""
    import faiss

    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(threads)

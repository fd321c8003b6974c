"""The vector index against plain numpy, exact and in lists."""

from __future__ import annotations

import sys
from pathlib import Path

import faiss
import numpy as np
import pytest
from numpy.typing import NDArray

import index.dense.vectors
from index.dense.vectors import VectorIndex

DIMENSION = 24
ROWS = 600


def unit(rows: int, seed: int = 0) -> NDArray[np.float32]:
    matrix = np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)
    return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True), np.float32)


@pytest.fixture(scope="module")
def matrix() -> NDArray[np.float32]:
    return unit(ROWS)


@pytest.mark.parametrize("limit", [1, 7, ROWS, ROWS + 50])
def test_the_flat_index_is_brute_force(matrix: NDArray[np.float32], limit: int) -> None:
    flat = VectorIndex.build(matrix)
    for query in unit(5, seed=1):
        rows, cosines = flat.search(query, limit)
        expected = matrix @ query
        order = np.argsort(-expected)[:limit]
        assert rows.tolist() == order.tolist()
        np.testing.assert_allclose(cosines, expected[order], atol=1e-6)


def test_only_allowed_rows_are_found(matrix: NDArray[np.float32]) -> None:
    allowed = np.array([3, 50, 51, 400], np.int64)
    query = unit(1, seed=2)[0]
    rows, cosines = VectorIndex.build(matrix).search(query, 10, allowed=allowed)
    assert rows.tolist() == allowed[np.argsort(-(matrix[allowed] @ query))].tolist()
    assert np.all(np.diff(cosines) <= 0)


def test_nothing_allowed_or_wanted_finds_nothing(matrix: NDArray[np.float32]) -> None:
    flat = VectorIndex.build(matrix)
    for rows, cosines in (
        flat.search(matrix[0], 5, allowed=np.empty(0, np.int64)),
        flat.search(matrix[0], 0),
        VectorIndex.build(matrix[:0]).search(matrix[0], 5),
    ):
        assert len(rows) == 0 and len(cosines) == 0


def test_rows_give_the_vectors_back(matrix: NDArray[np.float32]) -> None:
    flat = VectorIndex.build(matrix)
    numbers = np.array([5, 0, 599, 5], np.int64)
    np.testing.assert_array_equal(flat.rows(numbers), matrix[numbers])
    assert len(flat) == ROWS and flat.dimension == DIMENSION


@pytest.fixture
def lists(matrix: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch) -> VectorIndex:
    """Inverted lists, as an index above the limit has."""
    monkeypatch.setattr(index.dense.vectors, "FLAT_LIMIT", ROWS - 1)
    return VectorIndex.build(matrix)


def test_above_the_limit_it_is_not_exact(lists: VectorIndex, matrix: NDArray[np.float32]) -> None:
    assert not lists.exact and VectorIndex.build(matrix[: ROWS - 1]).exact


def test_the_lists_hold_what_brute_force_finds(lists: VectorIndex, matrix: NDArray[np.float32]) -> None:
    found = 0
    for query in unit(30, seed=3):
        rows, cosines = lists.search(query, 10)
        found += len(set(rows.tolist()) & set(np.argsort(-(matrix @ query))[:10].tolist()))
        np.testing.assert_allclose(cosines, matrix[rows] @ query, atol=1e-3)
        assert np.all(np.diff(cosines) <= 0)
    assert found >= 0.95 * 300


def test_the_lists_keep_to_allowed_rows(lists: VectorIndex, matrix: NDArray[np.float32]) -> None:
    allowed = np.arange(0, ROWS, 3, dtype=np.int64)
    query = unit(1, seed=4)[0]
    rows, _ = lists.search(query, 10, allowed=allowed)
    best = allowed[np.argsort(-(matrix[allowed] @ query))[:10]]
    assert set(rows.tolist()) <= set(allowed.tolist())
    assert len(set(rows.tolist()) & set(best.tolist())) >= 9


@pytest.mark.parametrize("limit", [index.dense.vectors.FLAT_LIMIT, 10], ids=["flat", "lists"])
def test_saving_and_loading_changes_nothing(
    matrix: NDArray[np.float32], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(index.dense.vectors, "FLAT_LIMIT", limit)
    before = VectorIndex.build(matrix)
    before.save(tmp_path / "vectors.faiss")
    after = VectorIndex.load(tmp_path / "vectors.faiss")
    query, allowed = unit(1, seed=5)[0], np.arange(10, 200, dtype=np.int64)
    for rows in (None, allowed):
        for old, new in zip(
            before.search(query, 9, allowed=rows), after.search(query, 9, allowed=rows), strict=True
        ):
            np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("limit", [index.dense.vectors.FLAT_LIMIT, 100], ids=["flat", "lists"])
def test_an_update_holds_what_stays_and_what_is_new(
    matrix: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(index.dense.vectors, "FLAT_LIMIT", limit)
    before = VectorIndex.build(matrix)
    fresh = unit(3, seed=6)
    kept = np.concatenate([[-1], np.arange(0, 200), [-1], np.arange(250, ROWS), [-1]])
    after = before.updated(kept, fresh)
    expected = np.empty((len(kept), DIMENSION), np.float32)
    expected[kept >= 0], expected[kept < 0] = matrix[kept[kept >= 0]], fresh
    np.testing.assert_allclose(after.rows(np.arange(len(kept))), expected, atol=1e-3)
    np.testing.assert_allclose(before.rows(np.arange(ROWS)), matrix, atol=1e-3)
    for row in (0, 1, 201, 400, len(kept) - 1):
        assert after.search(expected[row], 1)[0].tolist() == [row]


def test_equal_vectors_come_by_row(matrix: NDArray[np.float32]) -> None:
    twice = np.concatenate([matrix, matrix, matrix[:7]])
    rows, cosines = VectorIndex.build(twice).search(matrix[3], 3)
    assert rows.tolist() == [3, ROWS + 3, 2 * ROWS + 3] and len(set(cosines.tolist())) == 1


def test_several_masks_are_searched_as_each_alone(matrix: NDArray[np.float32]) -> None:
    flat, query = VectorIndex.build(matrix), unit(1, seed=7)[0]
    mask = np.arange(ROWS) % 2 == 0
    both = flat.search_each(query, 9, [mask, ~mask, None])
    for (rows, _), chosen in zip(both, (mask, ~mask, mask | True), strict=True):
        assert rows.tolist() == flat.search(query, 9, allowed=np.flatnonzero(chosen))[0].tolist()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is mapped there")
def test_large_indexes_stay_in_their_file(
    tmp_path: Path, lists: VectorIndex, matrix: NDArray[np.float32]
) -> None:
    path = tmp_path / "vectors.faiss"
    lists.save(path)
    found = VectorIndex.load(path)
    assert isinstance(faiss.downcast_InvertedLists(found._index.invlists), faiss.OnDiskInvertedLists)
    mask = np.arange(ROWS) % 3 == 0
    numbers = np.array([5, 0, 599, 5], np.int64)
    # What is written of it is whole, and so is what an update makes of it.
    found.save(tmp_path / "again.faiss")
    assert (tmp_path / "again.faiss").read_bytes() == path.read_bytes()
    kept = np.concatenate([np.arange(100, ROWS), np.full(50, -1)]).astype(np.int64)
    fresh, every = unit(50, seed=9), np.arange(len(kept), dtype=np.int64)
    changed, expected = found.updated(kept, fresh), lists.updated(kept, fresh)
    np.testing.assert_array_equal(changed.rows(every), expected.rows(every))
    # The file of a generation that was replaced is deleted while others still search it.
    path.unlink()
    for query in unit(5, seed=3):
        for masks in ([None], [mask], [None, mask]):
            for mine, theirs in zip(
                found.search_each(query, 9, masks), lists.search_each(query, 9, masks), strict=True
            ):
                np.testing.assert_array_equal(mine[0], theirs[0])
                np.testing.assert_array_equal(mine[1], theirs[1])
    np.testing.assert_array_equal(found.rows(numbers), lists.rows(numbers))


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is mapped there")
def test_a_damaged_file_of_lists_is_refused(tmp_path: Path, lists: VectorIndex) -> None:
    path = tmp_path / "vectors.faiss"
    lists.save(path)
    content = path.read_bytes()
    sizes = [faiss.downcast_index(lists._index).invlists.list_size(n) for n in range(lists._index.nlist)]
    place = content.index(np.array(sizes, "<u8").tobytes())
    for harmed in (
        content[:-1000],
        content[:place],
        content[:place] + (10**9).to_bytes(8, "little") + content[place + 8 :],
        content[:place] + (sizes[0] + 1).to_bytes(8, "little") + content[place + 8 :],
    ):
        path.write_bytes(harmed)
        with pytest.raises((RuntimeError, ValueError)):
            VectorIndex.load(path)

"""The vector index against plain numpy, exact and as a graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import index.vectors
from index.vectors import VectorIndex

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
def graph(matrix: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch) -> VectorIndex:
    """A graph, as an index above the limit is."""
    monkeypatch.setattr(index.vectors, "FLAT_LIMIT", ROWS - 1)
    return VectorIndex.build(matrix)


def test_above_the_limit_it_is_a_graph(graph: VectorIndex, matrix: NDArray[np.float32]) -> None:
    import faiss

    assert isinstance(graph._index, faiss.IndexHNSW)
    assert not isinstance(VectorIndex.build(matrix[: ROWS - 1])._index, faiss.IndexHNSW)


def test_the_graph_finds_what_brute_force_finds(graph: VectorIndex, matrix: NDArray[np.float32]) -> None:
    found = 0
    for query in unit(30, seed=3):
        rows, cosines = graph.search(query, 10)
        found += len(set(rows.tolist()) & set(np.argsort(-(matrix @ query))[:10].tolist()))
        np.testing.assert_allclose(cosines, matrix[rows] @ query, atol=1e-5)
        assert np.all(np.diff(cosines) <= 1e-6)
    assert found >= 0.95 * 300


def test_the_graph_keeps_to_allowed_rows(graph: VectorIndex, matrix: NDArray[np.float32]) -> None:
    allowed = np.arange(0, ROWS, 3, dtype=np.int64)
    query = unit(1, seed=4)[0]
    rows, _ = graph.search(query, 10, allowed=allowed)
    best = allowed[np.argsort(-(matrix[allowed] @ query))[:10]]
    assert set(rows.tolist()) <= set(allowed.tolist())
    assert len(set(rows.tolist()) & set(best.tolist())) >= 9


@pytest.mark.parametrize("limit", [index.vectors.FLAT_LIMIT, 10], ids=["flat", "graph"])
def test_saving_and_loading_changes_nothing(
    matrix: NDArray[np.float32], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(index.vectors, "FLAT_LIMIT", limit)
    before = VectorIndex.build(matrix)
    before.save(tmp_path / "vectors.faiss")
    after = VectorIndex.load(tmp_path / "vectors.faiss")
    query, allowed = unit(1, seed=5)[0], np.arange(10, 200, dtype=np.int64)
    for rows in (None, allowed):
        for old, new in zip(
            before.search(query, 9, allowed=rows), after.search(query, 9, allowed=rows), strict=True
        ):
            np.testing.assert_array_equal(old, new)

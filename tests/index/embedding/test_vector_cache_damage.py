"""The cache of vectors where files are damaged or may not be written: at worst a text is embedded anew."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from index.embedding.base import Vectors
from index.embedding.cached import BLOCK, CachedEmbedder
from index.embedding.vector_cache import MAX_SEGMENTS, VectorCache
from ingest.errors import TorchnotesError
from tests.index.embedding.test_vector_cache import LetterEmbedder, keys_of, unit_vectors


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY\x01\x00v", bytes(500)], ids=["empty", "torn", "zeros"])
def test_a_damaged_segment_is_passed_over(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    VectorCache(tmp_path).put(keys_of("a"), unit_vectors(1))
    (tmp_path / "damaged.npy").write_bytes(content)
    assert len(VectorCache(tmp_path)) == 1
    assert "damaged.npy is damaged" in caplog.text


def test_a_torn_tail_is_passed_over(tmp_path: Path) -> None:
    VectorCache(tmp_path).put(keys_of("ab"), unit_vectors(2))
    segment = next(tmp_path.glob("*.npy"))
    segment.write_bytes(segment.read_bytes()[:-5])
    assert len(VectorCache(tmp_path)) == 0


@pytest.mark.parametrize("bit", [0, 7, 11, 20, 31])
def test_a_vector_that_is_not_as_written_is_embedded_anew(
    tmp_path: Path, bit: int, caplog: pytest.LogCaptureFixture
) -> None:
    texts = ["a", "bb", "ccc"]
    CachedEmbedder(LetterEmbedder(), VectorCache(tmp_path)).encode_documents(texts)
    segment = next(tmp_path.glob("*.npy"))
    content = bytearray(segment.read_bytes())
    content[-9 + bit // 8] ^= 1 << bit % 8  # in the last vector of the file
    segment.write_bytes(content)
    again = CachedEmbedder(LetterEmbedder(), VectorCache(tmp_path))
    np.testing.assert_array_equal(again.encode_documents(texts), LetterEmbedder().encode_documents(texts))
    assert again.embedded_count == 1
    assert "1 vectors are damaged" in caplog.text
    third = CachedEmbedder(LetterEmbedder(), VectorCache(tmp_path))
    np.testing.assert_array_equal(third.encode_documents(texts), LetterEmbedder().encode_documents(texts))
    assert third.embedded_count == 0


@pytest.mark.parametrize("byte", [3, 17, 40], ids=["key", "checksum", "vector"])
def test_a_changed_byte_anywhere_is_seen(tmp_path: Path, byte: int) -> None:
    VectorCache(tmp_path).put(keys_of("ab"), unit_vectors(2))
    segment = next(tmp_path.glob("*.npy"))
    records = np.load(segment)
    records.view(np.uint8).reshape(2, -1)[0, byte] ^= 16
    np.save(segment, records)
    assert len(VectorCache(tmp_path)) == 1
    np.save(segment, np.zeros_like(records))
    assert len(VectorCache(tmp_path)) == 0


def test_a_segment_without_checksums_is_not_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    form = np.dtype([("key", "u1", (16,)), ("vector", "<f4", (8,))])
    np.save(tmp_path / "old.npy", np.zeros(3, form))
    assert len(VectorCache(tmp_path)) == 0 and not caplog.text


def test_a_cache_is_read_where_nothing_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MAX_SEGMENTS + 1):
        VectorCache(tmp_path / str(number // MAX_SEGMENTS)).put(keys_of([str(number)]), unit_vectors(1))
    full = tmp_path / "0"
    next((tmp_path / "1").glob("*.npy")).rename(full / "more.npy")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for name in ("mkdir", "open", "unlink"):
        monkeypatch.setattr(f"pathlib.Path.{name}", refuse)
    assert len(VectorCache(full)) == MAX_SEGMENTS + 1
    cache = VectorCache(tmp_path / "none")
    assert cache.get(keys_of("a")) == [None]
    with pytest.raises(PermissionError):
        cache.put(keys_of("a"), unit_vectors(1))


class FullCache(VectorCache):
    """On a disk that is full."""

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        raise OSError(28, "No space left on device")


def test_on_a_full_disk_nothing_is_embedded_that_would_be_lost(tmp_path: Path) -> None:
    inner = LetterEmbedder()
    many = CachedEmbedder(inner, FullCache(tmp_path / "vectors"))
    refused = r"vectors .*vectors: cannot be written \(No space left on device, .* free\); make room"
    with pytest.raises(TorchnotesError, match=refused):
        many.encode_documents(["x" * number for number in range(1, 2 * BLOCK)])
    assert len(inner.calls) == 1


def test_the_last_block_is_given_though_it_is_not_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cached = CachedEmbedder(LetterEmbedder(), FullCache(tmp_path / "vectors"))
    np.testing.assert_array_equal(cached.encode_documents(["a"]), LetterEmbedder().encode_documents(["a"]))
    assert "not kept for the next time" in caplog.text


def test_a_write_that_fails_leaves_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("index.embedding.vector_cache.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        VectorCache(tmp_path).put(keys_of("a"), unit_vectors(1))
    assert not list(tmp_path.iterdir())

"""What embedders share: batches of like length."""

from __future__ import annotations

import numpy as np
import pytest

from index.embedding.base import Vectors, encode_sorted


@pytest.mark.parametrize("room", [1, 10, 64, 1000])
def test_batches_keep_to_their_room_and_vectors_to_their_order(room: int) -> None:
    lengths = [3, 90, 1, 0, 10, 10, 7, 10, 2, 64]
    batches: list[list[int]] = []
    done: list[int] = []

    def encode(batch: list[str]) -> Vectors:
        batches.append([lengths[int(text)] for text in batch])
        return np.array([[float(text)] for text in batch], dtype=np.float32)

    vectors = encode_sorted([*map(str, range(10))], lengths, room, encode, 1, done.append)
    assert vectors[:, 0].tolist() == [*range(10)]
    assert [length for batch in batches for length in batch] == sorted(lengths, reverse=True)
    assert all(len(batch) == 1 or len(batch) * max(batch) <= room for batch in batches)
    assert done == np.cumsum([*map(len, batches)]).tolist()
    if room == 1000:
        assert len(batches) == 1


def test_no_text_is_no_batch() -> None:
    def encode(batch: list[str]) -> Vectors:
        raise AssertionError(batch)

    assert encode_sorted([], [], 8, encode, 4, None).shape == (0, 4)

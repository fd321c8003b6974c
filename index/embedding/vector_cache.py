"""Vectors by content: a text is embedded once for a model, also over restarts.

A cache folder holds segments, each an immutable .npy file of (key, checksum, vector) records. A segment is
written aside, synced and renamed, so that a killed process leaves at most a stray temporary file; writers
never touch each other's files. A record that is not as it was written is passed over, and its text embedded
anew. A seed is the read-only form that ships: an .npz of sorted keys and of unit vectors in 8 bits a number.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import time
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import numpy as np

from index.embedding.base import Vectors

_log = logging.getLogger(__name__)

KEY_BYTES = 16
MAX_SEGMENTS = 64  # more than this are merged into one when the cache is opened
_STRAY_SECONDS = 24 * 3600
_LARGEST_CODE = 127  # of int8, the same on both sides of zero


def vector_key(embedder_name: str, text: str) -> bytes:
    """The first 16 bytes of SHA-256 over the embedder's name, NUL and the text."""
    return hashlib.sha256(f"{embedder_name}\0{text}".encode("utf-8", "surrogatepass")).digest()[:KEY_BYTES]


class VectorCache:
    """Vectors on disk by `vector_key`.

    Args:
        folder: made by the first `put`; several processes may share it.
        seeds: files of `write_seed`; one that is missing or damaged is passed over, at the price of embedding
            anew.
    """

    def __init__(self, folder: Path, seeds: Sequence[Path] = ()) -> None:
        self.folder = folder
        self._segments: set[str] = set()
        self._vectors: dict[bytes, Vectors] = {}
        self._seeds = list(seeds)  # read one by one, as far as it takes
        segments = list(folder.glob("*.npy"))
        if len(segments) > MAX_SEGMENTS:
            try:
                self._merge(segments)
            except OSError as error:  # a reader may have no right to write
                _log.debug("%s is not merged (%s)", folder, error)
        self._read_new_segments()

    def __len__(self) -> int:
        self._read_seeds(())
        return len(self._vectors)

    def get(self, keys: Sequence[bytes]) -> list[Vectors | None]:
        """The vectors of those keys, None for each that is not held."""
        if self._lacks(keys):
            self._read_seeds(keys)
        if self._lacks(keys):
            self._read_new_segments()  # another process may have written them
        return [self._vectors.get(key) for key in keys]

    def _lacks(self, keys: Sequence[bytes]) -> bool:
        return any(key not in self._vectors for key in keys)

    def _read_seeds(self, keys: Sequence[bytes]) -> None:
        """Read seeds until they hold every key; all of them for no keys."""
        while self._seeds and (not keys or self._lacks(keys)):
            for key, vector in _read_seed(self._seeds.pop(0)):
                self._vectors.setdefault(key, vector)

    def put(self, keys: Sequence[bytes], vectors: Vectors) -> None:
        """Keep vectors, shape (len(keys), dimension); they are on disk when this returns."""
        if not keys:
            return
        records = np.empty(len(keys), dtype=_record(vectors.shape[1]))
        records["key"] = np.frombuffer(b"".join(keys), np.uint8).reshape(-1, KEY_BYTES)
        records["vector"] = vectors
        records["checksum"] = _checksums(records)
        self._segments.add(self._write(records))
        self._vectors.update(zip(keys, records["vector"], strict=True))

    def _write(self, records: np.ndarray) -> str:
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{uuid4().hex}.npy"
        aside = self.folder / f"{name}.tmp"
        content = io.BytesIO()  # written to a file, numpy would not say why it cannot be
        np.save(content, records)
        try:
            with aside.open("wb") as file:
                file.write(content.getbuffer())
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, self.folder / name)
        except OSError:  # a full disk is not to be filled with halves
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            raise
        return name

    def _read_new_segments(self) -> None:
        for path in sorted(self.folder.glob("*.npy")):
            if path.name in self._segments:
                continue
            self._segments.add(path.name)
            self._vectors.update(_read_segment(path))

    def _merge(self, segments: list[Path]) -> None:
        """Write segments as one a dimension, then remove them; what others add meanwhile is untouched."""
        by_dimension: dict[int, dict[bytes, Vectors]] = {}
        for path in segments:
            for key, vector in _read_segment(path, mapped=False):
                by_dimension.setdefault(len(vector), {})[key] = vector
        for entries in by_dimension.values():
            self.put(list(entries), np.stack(list(entries.values())))
        strays = [path for path in self.folder.glob("*.tmp") if _age(path) > _STRAY_SECONDS]
        for path in [*segments, *strays]:
            try:
                path.unlink(missing_ok=True)
            except PermissionError:  # Windows: another process has it mapped; the next merge takes it
                _log.debug("%s is in use and stays", path)


def write_seed(path: Path, embedder_name: str, texts: Sequence[str], vectors: Vectors) -> None:
    """Write the vectors of texts as a seed; equal input gives equal bytes.

    Args:
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
    try:
        with path.open("rb") as file, np.load(file) as seed:
            keys, vectors = seed["keys"], seed["codes"].astype(np.float32)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        _log.warning("%s is no seed of vectors (%s) and is passed over", path, error)
        return ()
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return zip(_split(keys), vectors, strict=True)


def _read_segment(path: Path, *, mapped: bool = True) -> Iterable[tuple[bytes, Vectors]]:
    try:
        records = np.load(path, mmap_mode="r" if mapped else None)
        if records.dtype.names == ("key", "vector"):  # as segments were before they had checksums
            return ()
        whole = records["checksum"] == _checksums(records)
    except FileNotFoundError:  # merged away by another process, which wrote its content before
        return ()
    except (OSError, ValueError, IndexError, EOFError) as error:
        _log.warning("%s is damaged (%s) and is passed over; it can be deleted", path, error)
        return ()
    if not whole.all():
        _log.warning("%s: %d vectors are damaged and are passed over", path, np.sum(~whole))
        records = records[whole]
    return zip(_split(records["key"]), np.asarray(records["vector"]), strict=True)


def _checksums(records: np.ndarray) -> np.ndarray:
    """A checksum a record, (records,), over its 32-bit words: any that changes by itself changes it."""
    words = np.ascontiguousarray(records).view("<u4").reshape(len(records), -1)
    weights = np.arange(1, 2 * words.shape[1], 2, dtype=np.uint32)  # odd ones lose no bit modulo 2^32
    weights[KEY_BYTES // 4] = 0  # the checksum itself
    return np.asarray(words @ weights + np.uint32(1))  # a record of zeros is none


def _split(keys: np.ndarray) -> list[bytes]:
    data = np.ascontiguousarray(keys, dtype=np.uint8).tobytes()
    return [data[start : start + KEY_BYTES] for start in range(0, len(data), KEY_BYTES)]


def _record(dimension: int) -> np.dtype[np.void]:
    return np.dtype([("key", "u1", (KEY_BYTES,)), ("checksum", "<u4"), ("vector", "<f4", (dimension,))])


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0

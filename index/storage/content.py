"""Checksums of what an index holds, whichever way it is stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from index.storage.generation import Generation, chunk_lines, document_lines
from index.storage.interface import Vectors

_BLOCK = 4096


def content_sums(generation: Generation) -> dict[str, str]:
    """Return the SHA-256 of each part of an index: equal for two with the same content.

    Args:
        generation: the index.
    """
    return {
        "documents": _sum(b"".join(document_lines(generation.documents))),
        "chunks": _sum(b"".join(chunk_lines(generation.chunks, generation.documents))),
        "chunk vectors": _vectors(generation.chunk_vectors),
        "sentence vectors": _vectors(generation.sentence_vectors),
        "terms": generation.terms.checksum(),
        "headings": generation.heading_terms.checksum(),
    }


def content_digest(generation: Generation, sums: Mapping[str, str]) -> str:
    """Return 16 hex digits that identify content and parameters of an index.

    Args:
        generation: the index.
        sums: its `content_sums`.
    """
    manifest = generation.manifest
    whole = {"parameters": asdict(manifest.parameters), "shipped": manifest.shipped, "sums": dict(sums)}
    return _sum(json.dumps(whole, sort_keys=True).encode())[:16]


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _vectors(vectors: Vectors) -> str:
    digest = hashlib.sha256()
    for start in range(0, len(vectors), _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, len(vectors)), dtype=np.int64)
        digest.update(np.ascontiguousarray(vectors.rows(rows), "<f4").tobytes())
    return digest.hexdigest()

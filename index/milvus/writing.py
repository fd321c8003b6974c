"""Writing a generation to Milvus; goes on where a writer was stopped."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from index.lexical.terms import TermIndex
from index.milvus.files import write_files
from index.milvus.names import Names
from index.milvus.schema import create_chunks, create_files, create_sentences
from index.milvus.server import Row, Server
from index.storage.generation import CHUNKS_FILE, Generation, chunk_lines, document_lines
from index.storage.interface import BuildProgress
from index.storage.manifest import DOCUMENTS_FILE, FORMAT, MANIFEST_FILE
from ingest.document import Document
from ingest.errors import TorchnotesError

HELD_FILE = "held.npy"
TERM_FOLDERS = ("terms", "headings")
_AT_ONCE = 1000  # rows written in one call, some 2 MB


def write_generation(
    server: Server,
    names: Names,
    generation: Generation,
    sums: Mapping[str, str],
    progress: BuildProgress | None = None,
) -> None:
    """Write a generation into collections of its own; nobody reads them yet.

    The name of the collections has the digest of the content, and a row its number: what is there already is
    what would be written, and is left out.

    Args:
        server: the server.
        names: names of the collections.
        generation: what to write.
        sums: its `index.storage.content.content_sums`.
        progress: callback for progress.

    Raises:
        TorchnotesError: the server does not answer, or has not taken all rows.
    """
    dimension, chunks = generation.chunk_vectors.dimension, len(generation.chunks)
    sentences = len(generation.sentence_vectors)
    create_chunks(server, names.chunks, dimension, chunks)
    create_sentences(server, names.sentences, dimension, sentences)
    create_files(server, names.files)
    done = 0

    def tell(rows: int) -> None:
        nonlocal done
        done += rows
        if progress:
            progress("write", done, chunks + sentences + 1)

    tell(0)
    _write(server, names.chunks, chunks, partial(_chunk_rows, generation), tell)
    _write(
        server, names.sentences, sentences, lambda start, end: _sentence_rows(generation, start, end), tell
    )
    write_files(server, names.files, _files(names, generation, sums))
    for collection in names.all:
        server.call("flush", collection)
    for collection, size in ((names.chunks, chunks), (names.sentences, sentences)):
        if (found := server.count(collection, 0, size)) != size:
            raise TorchnotesError(
                f"index {server.address.text}: {collection} has {found} rows instead of {size}; try again"
            )
    tell(1)


def _write(
    server: Server,
    collection: str,
    size: int,
    rows: Callable[[int, int], Iterator[Row]],
    tell: Callable[[int], None],
) -> None:
    for start in range(0, size, _AT_ONCE):
        end = min(start + _AT_ONCE, size)
        if server.count(collection, start, end) < end - start:
            server.call("upsert", collection, list(rows(start, end)))
        tell(end - start)


def _facts(document: Document) -> dict[str, Any]:
    return {"release": document.version, "language": document.language, "kind": document.kind}


def _chunk_rows(generation: Generation, start: int, end: int) -> Iterator[Row]:
    numbers = np.arange(start, end, dtype=np.int64)
    parts = zip(
        numbers.tolist(),
        generation.chunks[start:end],
        generation.chunk_vectors.rows(numbers),
        generation.terms.weights(numbers),
        generation.heading_terms.weights(numbers),
        strict=True,
    )
    for number, chunk, vector, terms, headings in parts:
        document = generation.documents[chunk.document_id]
        yield {
            "row": number,
            "vector": vector,
            "terms": _sparse(terms),
            "headings": _sparse(headings),
            "status": chunk.status,
            "section": chunk.section_id,
            "document": chunk.document_id,
            **_facts(document),
        }


def _sparse(weights: Mapping[int, float]) -> dict[int, float]:
    """Number the terms from 1: dimension 0, which no query has, keeps the vector from being empty."""
    return {number + 1: weight for number, weight in weights.items()} or {0: 1.0}


def _sentence_rows(generation: Generation, start: int, end: int) -> Iterator[Row]:
    numbers = np.arange(start, end, dtype=np.int64)
    owners = generation.sentence_owner[start:end].tolist()
    vectors = generation.sentence_vectors.rows(numbers)
    for number, owner, vector in zip(numbers.tolist(), owners, vectors, strict=True):
        document = generation.documents[generation.chunks[owner].document_id]
        yield {"row": number, "vector": vector, "chunk": owner, **_facts(document)}


def _files(names: Names, generation: Generation, sums: Mapping[str, str]) -> dict[str, bytes]:
    """Return what is read when the index is opened, and what only a writer or a copy needs."""
    files = {
        DOCUMENTS_FILE: b"".join(document_lines(generation.documents)),
        CHUNKS_FILE: b"".join(chunk_lines(generation.chunks, generation.documents)),
    }
    for folder, terms in zip(TERM_FOLDERS, (generation.terms, generation.heading_terms), strict=True):
        files |= {f"{folder}/{name}": content for name, content in _saved(terms).items()}
    created = generation.manifest.created or datetime.now(timezone.utc).isoformat(timespec="seconds")
    data = {"format": FORMAT, **asdict(generation.manifest), "created": created, "files": {}}
    files[MANIFEST_FILE] = json.dumps({**data, "name": names.generation, "sums": dict(sums)}).encode()
    return files


def _saved(terms: TermIndex) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        terms.save(Path(folder))
        np.save(Path(folder, HELD_FILE), terms.held)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}

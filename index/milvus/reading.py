"""Reading a generation from Milvus: to search it there, or all of it."""

from __future__ import annotations

import io
import json
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from index.dense.vectors import VectorIndex
from index.lexical.terms import TermIndex
from index.milvus.files import read_file
from index.milvus.names import Names
from index.milvus.parts import MilvusTerms, MilvusVectors
from index.milvus.server import Floats, Server
from index.milvus.writing import HELD_FILE, TERM_FOLDERS
from index.storage.generation import CHUNKS_FILE, Generation, parse_chunks, parse_documents, uncollected
from index.storage.interface import BuildProgress
from index.storage.manifest import DOCUMENTS_FILE, FORMAT, MANIFEST_FILE, Manifest, Parameters
from index.storage.publishing import replace_file
from ingest.chunk import Chunk
from ingest.document import Document
from ingest.errors import IndexMismatchError

_AT_ONCE = 2000  # vectors read in one call


@dataclass(frozen=True)
class MilvusGeneration:
    """A generation whose vectors and postings are on a server; documents, chunks and vocabulary are here.

    Attributes: those of `index.storage.interface.Index`.
    """

    name: str
    documents: dict[str, Document]
    chunks: tuple[Chunk, ...]
    chunk_vectors: MilvusVectors
    sentence_vectors: MilvusVectors
    terms: MilvusTerms
    heading_terms: MilvusTerms
    manifest: Manifest


class StoredManifest(NamedTuple):
    """What the manifest of a generation says.

    Attributes:
        manifest: parameters and counts.
        sums: `index.storage.content.content_sums` of what was written.
    """

    manifest: Manifest
    sums: dict[str, str]


def read_manifest(server: Server, names: Names) -> StoredManifest:
    """Read the manifest of a generation.

    Args:
        server: the server.
        names: names of its collections.

    Raises:
        IndexMismatchError: it is damaged, or of another format.
    """
    data: dict[str, Any] = json.loads(read_file(server, names.files, MANIFEST_FILE))
    found, sums = data.pop("format"), data.pop("sums")
    del data["name"]
    if found != FORMAT:
        raise IndexMismatchError(
            f"index {server.address.text}: of format {found}, this version reads format {FORMAT}; "
            "type `torchnotes rebuild`"
        )
    return StoredManifest(Manifest(parameters=Parameters(**data.pop("parameters")), **data), sums)


def read_stored_documents(server: Server, names: Names) -> dict[str, Document]:
    """Read the documents of a generation.

    Args:
        server: the server.
        names: names of its collections.

    Raises:
        IndexMismatchError: a document is damaged.
    """
    documents, damaged = parse_documents(read_file(server, names.files, DOCUMENTS_FILE))
    if damaged:
        raise IndexMismatchError(
            f"index {server.address.text}: document {damaged[0]} is damaged; copy the index there again"
        )
    return documents


def open_generation(server: Server, names: Names, manifest: Manifest) -> MilvusGeneration:
    """Open a generation, to search it on the server.

    Args:
        server: the server.
        names: names of its collections.
        manifest: its manifest.

    Raises:
        IndexMismatchError: a file is missing or damaged.
    """
    with uncollected():
        documents = read_stored_documents(server, names)
        chunks = parse_chunks(read_file(server, names.files, CHUNKS_FILE), tuple(documents))
    dimension = manifest.parameters.dimension

    def terms(folder: str) -> MilvusTerms:
        words = json.loads(read_file(server, names.files, f"{folder}/terms.json"))
        held = np.load(
            io.BytesIO(read_file(server, names.files, f"{folder}/{HELD_FILE}")), allow_pickle=False
        )
        numbers = {word: number for number, word in enumerate(words)}
        return MilvusTerms(server, names.chunks, folder, numbers, held, len(chunks))

    return MilvusGeneration(
        name=names.generation,
        documents=documents,
        chunks=chunks,
        chunk_vectors=MilvusVectors(server, names.chunks, manifest.chunks, dimension),
        sentence_vectors=MilvusVectors(server, names.sentences, manifest.sentences, dimension),
        terms=terms(TERM_FOLDERS[0]),
        heading_terms=terms(TERM_FOLDERS[1]),
        manifest=manifest,
    )


def read_generation(
    server: Server,
    names: Names,
    manifest: Manifest,
    *,
    aside: Path | None = None,
    progress: BuildProgress | None = None,
) -> Generation:
    """Read all of a generation into memory, as the folder of files has it.

    Args:
        server: the server.
        names: names of its collections.
        manifest: its manifest.
        aside: folder that keeps vectors while they come, to go on after an interruption; None: none.
        progress: callback for progress.

    Raises:
        IndexMismatchError: a file is missing or damaged.
    """
    documents = read_stored_documents(server, names)
    with uncollected():
        chunks = parse_chunks(read_file(server, names.files, CHUNKS_FILE), tuple(documents))
    total = manifest.chunks + manifest.sentences
    dimension = manifest.parameters.dimension

    def vectors(collection: str, size: int, before: int) -> VectorIndex:
        out = np.empty((size, dimension), np.float32)
        for start in range(0, size, _AT_ONCE):
            end = min(start + _AT_ONCE, size)
            path = aside / f"{collection}-{start}.npy" if aside else None
            block = _kept(path, (end - start, dimension))
            if block is None:
                block = _block(server, collection, start, end, dimension)
                _keep(path, block)
            out[start:end] = block
            if progress:
                progress("read", before + end, total)
        return VectorIndex.build(out)

    def terms(folder: str) -> TermIndex:
        with tempfile.TemporaryDirectory() as scratch:
            for name in ("terms.json", "terms.npz"):
                Path(scratch, name).write_bytes(read_file(server, names.files, f"{folder}/{name}"))
            return TermIndex.load(Path(scratch))

    return Generation(
        name=names.generation,
        documents=documents,
        chunks=chunks,
        chunk_vectors=vectors(names.chunks, manifest.chunks, 0),
        sentence_vectors=vectors(names.sentences, manifest.sentences, manifest.chunks),
        terms=terms(TERM_FOLDERS[0]),
        heading_terms=terms(TERM_FOLDERS[1]),
        manifest=manifest,
    )


def _block(server: Server, collection: str, start: int, end: int, dimension: int) -> Floats:
    found = server.query(collection, f"row >= {start} and row < {end}", ["row", "vector"])
    if len(found) != end - start:
        raise IndexMismatchError(
            f"index {server.address.text}: {collection} has {len(found)} of rows {start} to {end}; "
            "copy the index there again"
        )
    block = np.empty((end - start, dimension), np.float32)
    for row in found:
        block[row["row"] - start] = row["vector"]
    return block


def _kept(path: Path | None, shape: tuple[int, int]) -> Floats | None:
    """Return a block that an interrupted run has kept; None if there is none, or it was not written whole."""
    if path is None or not path.exists():
        return None
    with suppress(ValueError, EOFError, OSError):
        kept = np.load(path, allow_pickle=False)
        if kept.shape == shape and kept.dtype == np.float32:
            return np.asarray(kept, np.float32)
    return None


def _keep(path: Path | None, block: Floats) -> None:
    if path is None:
        return
    content = io.BytesIO()
    np.save(content, block)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content.getvalue(), sync=False)

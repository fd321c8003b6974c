"""A generation: one complete, immutable index, stored as a folder of plain files.

    manifest.json          parameters, counts, checksums
    documents.jsonl        one document per line, with a checksum of the line and its content hash
    chunks.jsonl           one chunk per line, a compact array (see `_chunk_row`), in the order of the vectors
    chunks.faiss           one vector per chunk
    sentences.faiss        one vector per sentence, chunk by chunk
    terms/ headings/       BM25 of the indexed texts, and of the heading paths alone

Rows agree in all files: chunk n has vector n and text n in the term indexes.
"""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from index.dense.vectors import VectorIndex
from index.lexical.terms import TermIndex
from index.storage.manifest import DOCUMENTS_FILE, Manifest
from ingest.chunk import Chunk
from ingest.document import Document
from ingest.locked_property import locked_cached_property
from ingest.sentence import Sentence, SentenceKind

CHUNKS_FILE = "chunks.jsonl"
_CHUNK_VECTORS_FILE = "chunks.faiss"
_SENTENCE_VECTORS_FILE = "sentences.faiss"
_TERMS_FOLDER = "terms"
_HEADING_TERMS_FOLDER = "headings"
_SUM = b'{"sum":"'  # first bytes of a document's line
_SUM_DIGITS = 16
_KINDS: tuple[SentenceKind, ...] = get_args(SentenceKind)
_KIND_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}


@dataclass(frozen=True)
class Generation:
    """A complete index in memory; immutable.

    Attributes:
        name: name of its folder, "" before it is written.
        documents: documents by id, in the order of `plan_update`, which decides between equal scores.
        chunks: chunks; those of one document are consecutive and in its order. The position is the row.
        chunk_vectors: vector of each chunk's `ingest.chunk.embedded_text`.
        sentence_vectors: vector of each of `ingest.chunk.sentence_texts`; those of one chunk are consecutive,
            in the order of `chunk.sentences`.
        terms: BM25 index of each chunk's `ingest.chunk.lexical_text`.
        heading_terms: BM25 index of each chunk's heading path.
        manifest: parameters and counts.
    """

    name: str
    documents: dict[str, Document]
    chunks: tuple[Chunk, ...]
    chunk_vectors: VectorIndex
    sentence_vectors: VectorIndex
    terms: TermIndex
    heading_terms: TermIndex
    manifest: Manifest

    @locked_cached_property
    def sentence_owner(self) -> NDArray[np.int64]:
        """Row of the chunk that each sentence belongs to, ascending, shape (sentences,)."""
        counts = [len(chunk.sentences) for chunk in self.chunks]
        return np.repeat(np.arange(len(counts), dtype=np.int64), counts)

    def save(self, folder: Path) -> str:
        """Write all files, the manifest last.

        Args:
            folder: an empty folder.

        Returns:
            The digest of the manifest.
        """
        with (folder / DOCUMENTS_FILE).open("wb") as file:
            file.writelines(document_lines(self.documents))
        with (folder / CHUNKS_FILE).open("wb") as file:
            file.writelines(chunk_lines(self.chunks, self.documents))
        self.chunk_vectors.save(folder / _CHUNK_VECTORS_FILE)
        self.sentence_vectors.save(folder / _SENTENCE_VECTORS_FILE)
        for name, terms in ((_TERMS_FOLDER, self.terms), (_HEADING_TERMS_FOLDER, self.heading_terms)):
            (folder / name).mkdir()
            terms.save(folder / name)
        return self.manifest.write(folder)

    @classmethod
    def load(cls, folder: Path, manifest: Manifest) -> Generation:
        """Read a generation written by `save`.

        Sizes and counts are checked, checksums are not; see `Store.verify`.

        Args:
            folder: folder of the generation.
            manifest: its manifest.

        Raises:
            OSError, ValueError, KeyError, RuntimeError and others: a file is missing or damaged.
        """
        for name, record in manifest.files.items():
            size = (folder / name).stat().st_size
            if size != record.size:
                raise ValueError(f"{name} has {size} bytes instead of {record.size}")
        with uncollected():
            documents, damaged = read_documents(folder)
            if damaged:
                raise ValueError(f"{DOCUMENTS_FILE}, line {damaged[0]} cannot be read")
            chunks = parse_chunks((folder / CHUNKS_FILE).read_bytes(), tuple(documents))
        generation = cls(
            name=folder.name,
            documents=documents,
            chunks=chunks,
            chunk_vectors=VectorIndex.load(folder / _CHUNK_VECTORS_FILE),
            sentence_vectors=VectorIndex.load(folder / _SENTENCE_VECTORS_FILE),
            terms=TermIndex.load(folder / _TERMS_FOLDER),
            heading_terms=TermIndex.load(folder / _HEADING_TERMS_FOLDER),
            manifest=manifest,
        )
        generation._check_counts()
        return generation

    def _check_counts(self) -> None:
        chunks, sentences = self.manifest.chunks, self.manifest.sentences
        counts = (
            ("documents", len(self.documents), self.manifest.documents),
            ("chunks", len(self.chunks), chunks),
            ("sentences", len(self.sentence_owner), sentences),
            ("chunk vectors", len(self.chunk_vectors), chunks),
            ("sentence vectors", len(self.sentence_vectors), sentences),
            ("texts with terms", self.terms.size, chunks),
            ("headings with terms", self.heading_terms.size, chunks),
        )
        for what, found, wanted in counts:
            if found != wanted:
                raise ValueError(f"it holds {found} {what} instead of {wanted}")


def read_documents(folder: Path) -> tuple[dict[str, Document], list[int]]:
    """Read the documents of a generation.

    Args:
        folder: folder of the generation.

    Returns:
        The documents by id, and the numbers, from 1, of damaged lines.

    Raises:
        OSError: the file cannot be read.
    """
    return parse_documents((folder / DOCUMENTS_FILE).read_bytes())


def parse_documents(data: bytes) -> tuple[dict[str, Document], list[int]]:
    """Parse the content of `documents.jsonl`.

    Args:
        data: lines made by `document_lines`.

    Returns:
        The documents by id, and the numbers, from 1, of damaged lines.
    """
    documents: dict[str, Document] = {}
    damaged: list[int] = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line:
            continue
        document = read_line(line)
        if document:
            documents[document.id] = document
        else:
            damaged.append(number)
    return documents, damaged


def read_line(line: bytes) -> Document | None:
    """Parse and verify one line of `documents.jsonl`.

    Each line carries its own checksum, so that documents can be recovered from an index that is damaged or of
    another format. Lines of earlier versions only have the content hash, which does not cover id and origin.

    Args:
        line: the line, without its line break.

    Returns:
        The document, None if the line is damaged.
    """
    try:
        if line.startswith(_SUM):
            start = len(_SUM) + _SUM_DIGITS
            if line[len(_SUM) : start] != _checksum(line[start:]):
                return None
        row = json.loads(line)
        document = Document.from_dict(row)
        return document if document.content_hash == row["hash"] else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def document_lines(documents: Mapping[str, Document]) -> Iterator[bytes]:
    """Yield the lines of `documents.jsonl`.

    Args:
        documents: documents by id, in index order.
    """
    for document in documents.values():
        row = {"hash": document.content_hash, **document.to_dict()}
        rest = b'",' + json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()[1:]
        yield _SUM + _checksum(rest) + rest + b"\n"


def chunk_lines(chunks: Iterable[Chunk], documents: Mapping[str, Document]) -> Iterator[bytes]:
    """Yield the lines of `chunks.jsonl`.

    Args:
        chunks: the chunks, in the order of their rows.
        documents: documents by id, in index order.
    """
    numbers = {document_id: number for number, document_id in enumerate(documents)}
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    for chunk in chunks:
        yield encode(_chunk_row(chunk, numbers[chunk.document_id])).encode() + b"\n"


def _checksum(line: bytes) -> bytes:
    return hashlib.sha256(line).hexdigest()[:_SUM_DIGITS].encode()


def _chunk_row(chunk: Chunk, document: int) -> list[Any]:
    """Encode a chunk as an array; each sentence takes three numbers: start, end, kind."""
    sentences = [n for s in chunk.sentences for n in (s.start, s.end, _KIND_NUMBERS[s.kind])]
    headings = list(chunk.headings)
    return [
        *(chunk.id, document, chunk.section, chunk.section_id, headings, chunk.status, chunk.url),
        *(chunk.start, chunk.end, chunk.context, sentences),
    ]


def parse_chunks(data: bytes, ids: Sequence[str]) -> tuple[Chunk, ...]:
    """Parse the content of `chunks.jsonl`.

    Args:
        data: lines made by `chunk_lines`.
        ids: ids of the documents, in index order.
    """
    # One parse of the whole file is faster than one per line; within a row line breaks are always escaped.
    text = data.decode()
    return tuple(
        Chunk(
            *(name, ids[document], section, section_id, tuple(headings), status, url, start, end, context),
            tuple(
                Sentence(first, last, _KINDS[kind])
                for first, last, kind in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)
            ),
        )
        for (
            *(name, document, section, section_id, headings, status, url, start, end, context),
            numbers,
        ) in json.loads(f"[{text.rstrip().replace(chr(10), ',')}]")
    )


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the garbage collector, which would take two thirds of the time of creating the chunks."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()

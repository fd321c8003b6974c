"""What is sent to workers and back: bytes of our own form, so that nothing of ours is unpickled.

A message is the length of a head, the head as JSON, and a body:

    source     origin, place, form and known documents; the bytes of the file
    reading    documents with chunks and terms, what could not be read; nothing
    texts      the texts to embed; nothing
    vectors    their shape; float32 numbers
    refusal    why the worker does not do it; nothing

What comes back is checked as what others wrote: `index/bulk/checking.py`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from index.embedding.base import Vectors
from index.storage.generation import chunk_lines
from ingest.chunk import Chunk
from ingest.document import Document
from ingest.errors import SourceError
from ingest.sources import RawSource

_LENGTH = 8  # bytes of the length of a head


class MessageError(ValueError):
    """A message is not of the form that it must have."""


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """A document as a worker has read it.

    Attributes:
        document: the document.
        chunks: its chunks; None where its content was known, see `known` of `encode_source`.
        terms: terms of each chunk's `ingest.chunk.lexical_text`.
    """

    document: Document
    chunks: tuple[Chunk, ...] | None
    terms: tuple[list[str], ...]


@dataclass(frozen=True, slots=True)
class WorkReport:
    """Who did the work, and how long it took.

    Attributes:
        worker: host and process.
        device: "cpu" or "cuda".
        seconds: time of the work itself.
    """

    worker: str
    device: str
    seconds: float


def pack(head: dict[str, Any], body: bytes = b"") -> bytes:
    """Make a message.

    Args:
        head: JSON-serialisable values.
        body: bytes.
    """
    encoded = json.dumps(head, separators=(",", ":")).encode()
    return b"".join((len(encoded).to_bytes(_LENGTH, "big"), encoded, body))


def unpack(message: bytes) -> tuple[dict[str, Any], memoryview]:
    """Read a message.

    Args:
        message: the result of `pack`.

    Returns:
        Head and body.

    Raises:
        MessageError: it is none.
    """
    if not isinstance(message, bytes):
        raise MessageError("it is not bytes")
    start = _LENGTH + int.from_bytes(message[:_LENGTH], "big")
    try:
        head = json.loads(message[_LENGTH:start])
    except (ValueError, RecursionError) as error:
        raise MessageError("its head is no JSON") from error
    if len(message) < start or not isinstance(head, dict):
        raise MessageError("its head is incomplete")
    return head, memoryview(message)[start:]


def encode_source(raw: RawSource, known: Sequence[str] = ()) -> bytes:
    """Make the message with a file to read.

    Args:
        raw: the file.
        known: content hashes of documents whose chunks are not needed, since the index has them.
    """
    head = {"origin": raw.origin, "place": raw.place, "form": raw.form, "known": sorted(known)}
    return pack(head, raw.data)


def decode_source(message: bytes) -> tuple[RawSource, frozenset[str]]:
    """Read the message with a file.

    Args:
        message: the result of `encode_source`.

    Returns:
        The file, and the known content hashes.
    """
    head, body = unpack(message)
    raw = RawSource(head["origin"], head["place"], head["form"], bytes(body))
    return raw, frozenset(head["known"])


def encode_readings(
    readings: Sequence[DocumentReading], skipped: Sequence[SourceError], work: WorkReport
) -> bytes:
    """Make the message with the documents of a file.

    Args:
        readings: the documents.
        skipped: what could not be read.
        work: who read it.
    """
    return pack(
        {
            "documents": [_reading(reading) for reading in readings],
            "skipped": [[error.source, error.reason] for error in skipped],
            **_work(work),
        }
    )


def _reading(reading: DocumentReading) -> dict[str, Any]:
    document = reading.document
    lines = None
    if reading.chunks is not None:
        lines = b"".join(chunk_lines(reading.chunks, {document.id: document})).decode()
    return {"document": document.to_dict(), "chunks": lines, "terms": reading.terms}


def encode_vectors(vectors: Vectors, work: WorkReport) -> bytes:
    """Make the message with vectors.

    Args:
        vectors: shape (texts, dimension).
        work: who embedded them.
    """
    return pack({"shape": vectors.shape, **_work(work)}, np.ascontiguousarray(vectors, "<f4").tobytes())


def _work(work: WorkReport) -> dict[str, Any]:
    return {"worker": work.worker, "device": work.device, "seconds": work.seconds}

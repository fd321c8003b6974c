"""What workers send back, checked like what others wrote: a result speaks for its own source alone.

Whoever can send a result can also run code on the workers, and by Dask's own protocol here (docs/trust.md).
These checks keep damage, other versions and mistakes out of the index; a result that is wrong is one line.
"""

from __future__ import annotations

import hashlib
import math
import re
from typing import Any

import numpy as np

from index.bulk.messages import DocumentReading, MessageError, WorkReport, unpack
from index.embedding.base import Vectors
from index.storage.generation import parse_chunks
from ingest.addresses import is_web
from ingest.chunk import Chunk
from ingest.document import KINDS, LANGUAGES, SOURCE_DIGITS, Document, source_of
from ingest.errors import SourceError
from ingest.loaders import MAX_CHARACTERS
from ingest.sources import RawSource
from ingest.status import STATUSES

_CHUNK_ID = re.compile(r"[0-9a-f]{16}(?:-\d{1,9})?", re.ASCII)
_LENGTH_ERROR = 0.02  # of a unit vector; bfloat16 and the normalisation of other libraries stay far below
_BROKEN = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)


class WorkerRefusedError(Exception):
    """A worker says that it cannot do the work."""


def decode_readings(
    message: bytes, raw: RawSource
) -> tuple[list[DocumentReading], list[SourceError], WorkReport]:
    """Read and check the documents of a file.

    Args:
        message: the result of `jobs.read_source`.
        raw: the file.

    Returns:
        Its documents, what could not be read, and who read it.

    Raises:
        MessageError: it is not of the form that it must have, or tells of another file.
        RefusedError: the worker refused.
    """
    head, work = _head(message)
    try:
        readings = [_reading(row, raw) for row in head["documents"]]
        skipped = [SourceError(_text(source), _text(reason)) for source, reason in head["skipped"]]
    except MessageError:
        raise
    except _BROKEN as error:
        raise MessageError(f"its documents cannot be read ({type(error).__name__})") from error
    return readings, skipped, work


def decode_vectors(message: bytes, count: int, dimension: int) -> tuple[Vectors, WorkReport]:
    """Read and check vectors.

    Args:
        message: the result of `jobs.embed_texts`.
        count: number of texts.
        dimension: length of a vector.

    Returns:
        The vectors, shape (count, dimension), and who embedded them.

    Raises:
        MessageError: they are not that many unit vectors.
        RefusedError: the worker refused.
    """
    head, work = _head(message)
    body = unpack(message)[1]
    if head.get("shape") != [count, dimension] or len(body) != 4 * count * dimension:
        raise MessageError(f"its vectors are not of the shape {count} x {dimension}")
    vectors = np.frombuffer(body, "<f4").reshape(count, dimension)
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(vectors, axis=1)
    if not np.isfinite(vectors).all() or (np.abs(lengths - 1) > _LENGTH_ERROR).any():
        raise MessageError("its vectors are not of unit length")
    return vectors, work


def _head(message: bytes) -> tuple[dict[str, Any], WorkReport]:
    head, _ = unpack(message)
    try:
        if "refused" in head:
            raise WorkerRefusedError(f"{_text(head['worker'])}: {_text(head['refused'])}")
        seconds = float(head["seconds"])
        if not 0 <= seconds < math.inf or head["device"] not in ("cpu", "cuda"):
            raise MessageError("it does not say who did it")
        return head, WorkReport(_text(head["worker"]), head["device"], seconds)
    except (KeyError, TypeError, ValueError) as error:
        raise MessageError("it does not say who did it") from error


def _reading(row: dict[str, Any], raw: RawSource) -> DocumentReading:
    given = row["document"]
    for name in ("id", "title", "url", "kind", "language", "text", "origin"):
        _text(given[name])
    document = Document.from_dict(given)
    for removal in document.removed:
        if type(removal.lines) is not int:
            raise MessageError("a document tells of odd lines")
        _text(removal.reason)
        _text(removal.excerpt)
    if document.kind not in KINDS or document.language not in LANGUAGES:
        raise MessageError("a document is of an unknown kind or language")
    _address(document.url)
    if not document.origin.startswith(raw.origin):
        raise MessageError("it tells of another file")
    # The last part of an id is made from the place, see `ingest.reading.document_id`.
    place = raw.place + document.origin[len(raw.origin) :]
    digest = hashlib.sha256(place.encode("utf-8", "backslashreplace")).hexdigest()[:SOURCE_DIGITS]
    if source_of(document.id) != digest:
        raise MessageError("it tells of another file")
    if row["chunks"] is None:
        return DocumentReading(document, None, ())
    chunks = parse_chunks(row["chunks"].encode(), (document.id,))
    for chunk in chunks:
        _check_chunk(chunk, document)
    if len({chunk.id for chunk in chunks}) != len(chunks):
        raise MessageError("two chunks have the same id")
    terms = tuple([_text(term) for term in each] for each in row["terms"])
    if len(terms) != len(chunks):
        raise MessageError("its terms are not those of its chunks")
    return DocumentReading(document, chunks, terms)


def _check_chunk(chunk: Chunk, document: Document) -> None:
    texts = (chunk.id, chunk.section_id, chunk.status, chunk.url, chunk.context, *chunk.headings)
    for text in texts:
        _text(text)
    _address(chunk.url)
    spans = ((chunk.start, chunk.end), *((each.start, each.end) for each in chunk.sentences))
    numbers = [chunk.section, *(place for span in spans for place in span)]
    if any(type(number) is not int or number < 0 for number in numbers):
        raise MessageError("a chunk has an odd place")
    inside = all(chunk.start <= s.start < s.end <= chunk.end for s in chunk.sentences)
    if not (_CHUNK_ID.fullmatch(chunk.id) and chunk.status in STATUSES and inside):
        raise MessageError("a chunk is not of its form")
    if not chunk.start < chunk.end <= len(document.text):
        raise MessageError("a chunk lies outside of its text")


def _address(url: str) -> None:
    if url and not is_web(url):
        raise MessageError("an address is not of the web")


def _text(value: object) -> str:
    """Return a text that can be written as UTF-8."""
    if not isinstance(value, str) or len(value) > MAX_CHARACTERS:
        raise MessageError("it has no text where one must be")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise MessageError("it holds half a character") from error
    return value

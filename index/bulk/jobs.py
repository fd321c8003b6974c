"""The work of a worker: two pure functions of bytes and settings.

They read no file but those of torchnotes and of the embedding model, keep nothing, and know nothing of Dask:
Dask imports them on a worker, which has to have the same torchnotes installed.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
import time
from functools import lru_cache

from index.bulk.messages import (
    DocumentReading,
    WorkReport,
    decode_source,
    encode_readings,
    encode_vectors,
    pack,
    unpack,
)
from index.bulk.recipe import Recipe, code_digest
from index.embedding.factory import load_embedder
from index.storage.builder import IndexBuilder
from ingest.chunk import lexical_text
from ingest.errors import EmbedderError, SourceError
from ingest.loaders import documents_of
from ingest.segment import Segmenter

_MAKING = threading.Lock()


class _RefusedError(Exception):
    """This worker cannot do the work as the recipe wants it."""


def read_source(recipe: bytes, source: bytes) -> bytes:
    """Read a file, and split its documents.

    Args:
        recipe: `Recipe.encode`.
        source: `messages.encode_source`.

    Returns:
        `messages.encode_readings`, or a refusal.
    """
    start = time.perf_counter()
    try:
        builder = _builder(recipe)
    except _RefusedError as refused:
        return _refusal(refused)
    raw, known = decode_source(source)
    skipped: list[SourceError] = []
    readings = []
    for document in documents_of(raw, on_skip=skipped.append):
        if document.content_hash in known:
            readings.append(DocumentReading(document, None, ()))
            continue
        chunks = tuple(builder.split(document))
        terms = tuple(builder.terms(chunk, lexical_text(chunk, document)) for chunk in chunks)
        readings.append(DocumentReading(document, chunks, terms))
    return encode_readings(readings, skipped, _work(start, "cpu"))


def embed_texts(recipe: bytes, texts: bytes) -> bytes:
    """Embed texts, on a GPU where this worker has one.

    Args:
        recipe: `Recipe.encode`.
        texts: message whose head has the texts.

    Returns:
        `messages.encode_vectors`, or a refusal.
    """
    start = time.perf_counter()
    try:
        builder = _builder(recipe)
    except _RefusedError as refused:
        return _refusal(refused)
    head, _ = unpack(texts)
    vectors = builder.embedder.encode_documents(head["texts"])
    return encode_vectors(vectors, _work(start, _device()))


def _builder(recipe: bytes) -> IndexBuilder:
    """Return what splits and embeds, made once a process."""
    with _MAKING:
        return _made(recipe)


@lru_cache(maxsize=1)
def _made(recipe: bytes) -> IndexBuilder:
    from ingest.splitter import ReleaseNoteSplitter  # with langchain

    wanted = Recipe.decode(recipe)
    if wanted.code != code_digest():
        raise _RefusedError(f"its torchnotes is another one ({code_digest()} instead of {wanted.code})")
    try:
        embedder = load_embedder(wanted.embedder)
        if embedder.name != wanted.model:
            raise _RefusedError(f"its embedding model is {embedder.name} instead of {wanted.model}")
    except EmbedderError as error:
        raise _RefusedError(f"its embedding model cannot be loaded ({error})") from error
    segmenter = Segmenter(wanted.words)
    splitter = ReleaseNoteSplitter(embedder.count_tokens, segmenter, max_tokens=wanted.max_tokens)
    return IndexBuilder(splitter, segmenter, embedder)


def _refusal(error: _RefusedError) -> bytes:
    return pack({"refused": str(error), "worker": _name()})


def _work(start: float, device: str) -> WorkReport:
    return WorkReport(_name(), device, time.perf_counter() - start)


def _name() -> str:
    return f"{platform.node()}/{os.getpid()}"


def _device() -> str:
    """Return where this process embeds: a model that found a GPU has started CUDA, whichever model it is."""
    torch = sys.modules.get("torch")
    return "cuda" if torch is not None and torch.cuda.is_initialized() else "cpu"

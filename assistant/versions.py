"""Versions of what an answer depends on."""

from __future__ import annotations

import importlib.metadata
from functools import lru_cache

from assistant.reader.reading import Reader
from index.embedding.base import Embedder
from index.search.retriever import Retriever


def versions_of(retriever: Retriever, embedder: Embedder, reader: Reader | None) -> dict[str, str]:
    """Return the versions that determine an assistant's answers.

    The same dictionary is in the JSON of an answer, and in what the page and Slack keep of it.

    Args:
        retriever: searches one generation of the index.
        embedder: the embedding model.
        reader: reads passages together with the question, or None.

    Returns:
        "torchnotes", "index" (name of the generation, which identifies all its bytes), "corpus" (fingerprint
        of the shipped digests in it, "" for none), "embedder" and "reader" (names with a fingerprint of the
        weights, "" where nothing is read).
    """
    generation = retriever.generation
    return {
        "torchnotes": own_version(),
        "index": generation.name,
        "corpus": generation.manifest.shipped,
        "embedder": embedder.name,
        "reader": reader.name if reader else "",
    }


@lru_cache(maxsize=1)
def own_version() -> str:
    """Return the version of torchnotes, "" in a checkout that is not installed."""
    try:
        return importlib.metadata.version("torchnotes")
    except importlib.metadata.PackageNotFoundError:
        return ""

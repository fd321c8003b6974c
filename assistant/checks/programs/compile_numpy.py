"""torch.compile traces NumPy code into one graph, and runs it as fused C++."""

from typing import Any

import kit
import numpy as np
import torch

kit.compiler()
a = np.random.default_rng(0).standard_normal((400, 1, 64)).astype(np.float32)
b = np.random.default_rng(1).standard_normal((1, 300, 64)).astype(np.float32)


def distances(x: Any, y: Any) -> Any:
    return np.sum(np.abs(x - y) * np.exp(-np.abs(y)), axis=-1)


compiled = torch.compile(distances, fullgraph=True)  # a graph break would be an error
kit.same("compiled and NumPy", torch.as_tensor(compiled(a, b)), torch.as_tensor(distances(a, b)), 1e-3)
kit.fact("graphs compiled", kit.graphs())
kit.fact("gives an ndarray", isinstance(compiled(a, b), np.ndarray))
kit.interleaved("NumPy over compiled", lambda: distances(a, b), lambda: compiled(a, b), repeats=5)

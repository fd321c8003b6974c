"""Automatic dynamic shapes: the first new size makes that dimension symbolic; no graph a size."""

import kit
import torch
from torch._dynamo.testing import CompileCounter


def graphs(dynamic: bool | None, automatic: bool = True) -> int:
    """How many graphs ten sizes make."""
    torch._dynamo.reset()
    counter = CompileCounter()
    torch._dynamo.config.automatic_dynamic_shapes = automatic
    call = torch.compile(lambda x: torch.relu(x @ x.T) + 1, dynamic=dynamic, backend=counter)
    inputs = [torch.randn(size, 5) for size in range(4, 14)]
    expected = [torch.relu(x @ x.T) + 1 for x in inputs]
    kit.same(
        f"ten sizes, dynamic={dynamic}, automatic={automatic}", [call(x) for x in inputs], expected, 1e-5
    )
    return counter.frame_count


torch._dynamo.config.recompile_limit = 16
kit.fact("graphs by default", graphs(None))
kit.fact("graphs with dynamic=False", graphs(False))
kit.fact("graphs with automatic_dynamic_shapes off", graphs(None, automatic=False))
kit.fact("graphs with dynamic=True", graphs(True))

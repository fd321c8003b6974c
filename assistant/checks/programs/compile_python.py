"""torch.compile works on this Python: control flow, a closure, a comprehension and a context manager."""

import platform

import kit
import torch
from torch._dynamo.testing import CompileCounterWithBackend


def model(x: torch.Tensor, steps: int) -> torch.Tensor:
    weights = [x * step for step in range(1, steps)]
    with torch.no_grad():
        for weight in weights:
            x = x + weight.tanh() if steps % 2 else x - weight.tanh()
    return x


x = torch.randn(7)
counter = CompileCounterWithBackend("aot_eager")
for steps in (3, 4):
    compiled = torch.compile(model, fullgraph=True, backend=counter, dynamic=False)
    kit.same(f"compiled and eager, {steps} steps", compiled(x, steps), model(x, steps), 1e-6)
# A right result alone would mislead: code that was never compiled gives it too.
kit.fact("graphs", counter.frame_count)
kit.fact("operations in them", counter.op_count)
kit.fact("Python", platform.python_version())

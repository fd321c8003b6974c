"""torch.compile works on this Python: control flow, a closure, a comprehension and a context manager."""

import platform

import kit
import torch


def model(x: torch.Tensor, steps: int) -> torch.Tensor:
    weights = [x * step for step in range(1, steps)]
    with torch.no_grad():
        for weight in weights:
            x = x + weight.tanh() if steps % 2 else x - weight.tanh()
    return x


x = torch.randn(7)
for steps in (3, 4):
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    kit.same(f"compiled and eager, {steps} steps", compiled(x, steps), model(x, steps), 1e-6)
kit.fact("Python", platform.python_version())

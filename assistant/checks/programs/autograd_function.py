"""torch.compile traces an autograd.Function into the graph, and honours the backward as it is written."""

from typing import Any

import kit
import torch
from torch._dynamo.testing import CompileCounterWithBackend


class Tripled(torch.autograd.Function):
    """Its backward is not its derivative, on purpose: so that it shows which one ran."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient * 3 * ctx.saved_tensors[0].cos()


def call(x: torch.Tensor) -> torch.Tensor:
    out: torch.Tensor = Tripled.apply(x * 2) + 1
    return out


counter = CompileCounterWithBackend("aot_eager")
x = torch.randn(9, requires_grad=True)
out = torch.compile(call, fullgraph=True, backend=counter)(x)
out.sum().backward()
assert x.grad is not None
kit.same("compiled and eager", out, (2 * x).sin() + 1, 1e-6)
kit.same("gradient, by the backward as written", x.grad, 2 * 3 * (2 * x).cos(), 1e-5)
kit.fact("graphs", counter.frame_count)

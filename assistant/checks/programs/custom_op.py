"""torch.library.custom_op: an operator in Python that compile, autograd and export take whole."""

from typing import Any

import kit
import numpy as np
import torch
from torch._dynamo.testing import CompileCounterWithBackend

custom_op = kit.api("torch.library.custom_op")


@custom_op("check::half_sine", mutates_args=())
def half_sine(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(0.5 * np.sin(x.detach().numpy()))  # opaque to the compiler


@half_sine.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


def remember(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs)


def slope(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
    return gradient * 0.5 * ctx.saved_tensors[0].cos()


half_sine.register_autograd(slope, setup_context=remember)


class Model(torch.nn.Module):
    """Calls the operator between two others."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = half_sine(x * 2) + 1
        return result


x = torch.randn(6, requires_grad=True)
counter = CompileCounterWithBackend("aot_eager")
compiled = torch.compile(Model(), fullgraph=True, backend=counter)
kit.same("compiled and eager", compiled(x), 0.5 * (2 * x).sin() + 1, 1e-6)
compiled(x).sum().backward()
assert x.grad is not None
kit.same("gradient and cos(2x)", x.grad, (2 * x).cos(), 1e-6)
calls = [node for graph in counter.graphs for node in graph.graph.nodes if "half_sine" in str(node.target)]
kit.fact("calls of it in the compiled graphs", len(calls))
exported = torch.export.export(Model(), (x.detach(),))
kit.fact("whole in the exported graph", "half_sine" in str(exported.graph))
passed = torch.library.opcheck(half_sine, (torch.randn(4, requires_grad=True),))
kit.fact("tests of opcheck that pass", sum(result == "SUCCESS" for result in passed.values()))

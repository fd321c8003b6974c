"""Compiled Autograd captures the whole backward as one graph, though the forward breaks in three."""

import kit
import torch
from torch._dynamo.utils import counters


def forward(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    x = torch.tanh(x @ weight)
    torch._dynamo.graph_break()
    x = torch.tanh(x @ weight)
    torch._dynamo.graph_break()
    return torch.tanh(x @ weight).sum()


def gradient(enabled: bool) -> torch.Tensor:
    """The gradient of the weight, from a compiled training step."""
    torch._dynamo.reset()
    counters.clear()
    torch._dynamo.config.compiled_autograd = enabled
    weight = torch.linspace(-1, 1, 16).view(4, 4).requires_grad_()
    torch.compile(lambda: forward(torch.ones(2, 4), weight).backward(), backend="aot_eager")()
    assert weight.grad is not None
    return weight.grad


off = gradient(False)
kit.fact("backward graphs captured when off", counters["compiled_autograd"]["captures"])
on = gradient(True)
kit.fact("backward graphs captured when on", counters["compiled_autograd"]["captures"])
kit.same("gradients, on and off", on, off, 1e-6)

"""switch: one of several branches by an index, in eager mode and in one graph."""

import kit
import torch
from torch._dynamo.testing import CompileCounter

switch = kit.api("torch._higher_order_ops.switch.switch")
kit.fact("torch.switch exists", hasattr(torch, "switch"))
counter = CompileCounter()
branches = (torch.sin, torch.cos, torch.tanh)
x = torch.randn(5)


@torch.compile(backend=counter, fullgraph=True)
def route(index: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return switch(index, branches, (x,))


# The index is a tensor: with a Python number each branch would be traced alone, a graph for each.
with torch.no_grad():
    for index, branch in enumerate(branches):
        kit.same(f"branch {index}", route(torch.tensor(index), x), branch(x), 1e-6)
    kit.same("an index above the last", route(torch.tensor(7), x), torch.tanh(x), 1e-6)
    kit.same("an index below 0", route(torch.tensor(-1), x), torch.sin(x), 1e-6)
kit.fact("graphs for all of them", counter.frame_count)

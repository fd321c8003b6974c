"""torch.compile is an optional wrapper: the compiled model computes and learns what the eager one does."""

import copy

import kit
import torch

kit.compiler()
eager = torch.nn.Sequential(
    torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.LayerNorm(32), torch.nn.Linear(32, 4)
)
twin = copy.deepcopy(eager)
compiled = torch.compile(twin)
x = torch.randn(8, 16)
kit.same("outputs", compiled(x), eager(x), 1e-4)
kit.fact("graphs compiled", kit.graphs())
kit.fact("the parameters are shared, not copied", next(compiled.parameters()) is next(twin.parameters()))
eager(x).square().sum().backward()
compiled(x).square().sum().backward()
kit.same("gradients", [p.grad for p in twin.parameters()], [p.grad for p in eager.parameters()], 1e-4)

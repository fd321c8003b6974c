"""A compiled Adam step beside the eager one, over forty small parameters."""

import copy

import kit
import torch

kit.compiler()
eager = torch.nn.ParameterList(torch.randn(64, 64) for _ in range(40))
twin = copy.deepcopy(eager)
for parameter, other in zip(eager, twin, strict=True):
    parameter.grad = torch.randn(64, 64)
    other.grad = parameter.grad.clone()
plain, optimizer = torch.optim.Adam(eager, 1e-3), torch.optim.Adam(twin, 1e-3)
step = torch.compile(optimizer.step)
for _ in range(3):
    plain.step()
    step()
kit.same("parameters after three steps", [*twin], [*eager], 1e-5)
kit.fact("graphs compiled", kit.graphs())
kit.interleaved("eager over compiled step", plain.step, step)

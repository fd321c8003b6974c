"""A chain of pointwise operations, run one by one and as the one loop that Inductor makes of it."""

import kit
import torch

kit.compiler()
x, y = torch.randn(512, 512), torch.randn(512, 512)


def chain(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    a = torch.nn.functional.gelu(a * 2 + b)
    return (a.sigmoid() * b + (1 + a.square()).sqrt()) / (1 + b.square())


compiled = torch.compile(chain)
kit.same("compiled and eager", compiled(x, y), chain(x, y), 1e-4)
kit.interleaved("eager over compiled", lambda: chain(x, y), lambda: compiled(x, y))

"""A chain of pointwise operations, run one by one and as the one loop that Inductor makes of it."""

import kit
import torch

kit.compiler()
x, y = torch.randn(512, 512), torch.randn(512, 512)


def chain(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    a = torch.nn.functional.gelu(a * 2 + b)
    return (a.sigmoid() * b + (1 + a.square()).sqrt()) / (1 + b.square())


generated = kit.api("torch._inductor.utils.run_and_get_code")
compiled = torch.compile(chain)
out, sources = generated(compiled, x, y)
kit.same("compiled and eager", out, chain(x, y), 1e-4)
kit.fact("fused C++ functions", sum(code.count("async_compile.cpp") for code in sources))
kit.interleaved("eager over compiled", lambda: chain(x, y), lambda: compiled(x, y))

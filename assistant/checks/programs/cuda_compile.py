"""torch.compile on a GPU: one Triton kernel for a chain of operations, faster than one by one."""

import kit
import torch

device = kit.cuda(7, 0)
kit.need(kit.api("torch.utils._triton.has_triton")(), "triton", "Inductor writes Triton kernels for a GPU")
generated = kit.api("torch._inductor.utils.run_and_get_code")
x, y = torch.randn(4096, 4096, device=device), torch.randn(4096, 4096, device=device)


def chain(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    a = torch.nn.functional.gelu(a * 2 + b)
    return (a.sigmoid() * b + (1 + a.square()).sqrt()) / (1 + b.square())


compiled = torch.compile(chain)
out, sources = generated(compiled, x, y)
kit.same("compiled and eager", out, chain(x, y), 1e-4)
kit.fact("a Triton kernel in the generated code", any("@triton.jit" in source for source in sources))
kit.interleaved("eager over compiled", lambda: chain(x, y), lambda: compiled(x, y))

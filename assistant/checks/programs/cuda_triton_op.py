"""torch.library.triton_op: a Triton kernel as an operator that torch.compile sees into."""

import kit
import torch

device = kit.cuda()
triton = kit.api("triton")
tl = kit.api("triton.language")
triton_op = kit.api("torch.library.triton_op")
wrap_triton = kit.api("torch.library.wrap_triton")


@triton.jit
def add_kernel(a, b, out, count, BLOCK: tl.constexpr):  # noqa: ANN001, ANN201, N803
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    within = at < count
    tl.store(out + at, tl.load(a + at, mask=within) + tl.load(b + at, mask=within), mask=within)


@triton_op("check::add", mutates_args={})
def add(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(a)
    wrap_triton(add_kernel)[(triton.cdiv(a.numel(), 256),)](a, b, out, a.numel(), BLOCK=256)
    return out


generated = kit.api("torch._inductor.utils.run_and_get_code")
a, b = torch.randn(1000, device=device), torch.randn(1000, device=device)
compiled = torch.compile(lambda x, y: add(x, y) * 2, fullgraph=True)
out, sources = generated(compiled, a, b)
kit.same("compiled and the formula", out, (a + b) * 2, 1e-5)
kit.same("eager and the formula", add(a, b), a + b)
kit.fact("the kernel is in the generated code", any("add_kernel" in source for source in sources))

"""A Triton kernel of one's own inside torch.compile: no graph break, the same numbers."""

import kit
import torch

device = kit.cuda()
triton = kit.api("triton")
tl = kit.api("triton.language")


@triton.jit
def scale_kernel(source, target, count, BLOCK: tl.constexpr):  # noqa: ANN001, ANN201, N803
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(target + at, 2 * tl.load(source + at, mask=at < count), mask=at < count)


def model(x: torch.Tensor) -> torch.Tensor:
    x = x.sin()
    out = torch.empty_like(x)
    scale_kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK=256)
    return out + 1


x = torch.randn(1000, device=device)
compiled = torch.compile(model, fullgraph=True)  # a graph break would be an error
kit.same("compiled and eager", compiled(x), model(x), 1e-5)
kit.same("compiled and the formula", compiled(x), 2 * x.sin() + 1, 1e-5)
kit.fact("graphs compiled", kit.graphs())
kit.interleaved("eager over compiled", lambda: model(x), lambda: compiled(x))

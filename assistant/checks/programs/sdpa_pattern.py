"""Inductor recognises attention that is written out by hand, and calls the fused kernel instead."""

import kit
import torch
from torch._dynamo.utils import counters

kit.compiler()
q, k, v = (torch.randn(2, 4, 32, 16) for _ in range(3))


def by_hand(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
    return torch.matmul(a, b.transpose(-2, -1)).div(16**0.5).softmax(dim=-1).matmul(c)


with torch.no_grad():
    out, sources = kit.api("torch._inductor.utils.run_and_get_code")(torch.compile(by_hand), q, k, v)
kit.same("compiled and eager", out, by_hand(q, k, v), 1e-4)
kit.fact("attentions replaced", counters["inductor"]["fuse_attention"])
calls = sum(source.count("_scaled_dot_product") for source in sources)
kit.fact("calls of scaled_dot_product_attention in the generated code", calls)

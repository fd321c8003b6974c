"""scaled_dot_product_attention without a batch dimension: a fused kernel, and not the math one."""

import kit
import torch

attention = torch.nn.functional.scaled_dot_product_attention
q, k, v = (torch.randn(8, 64, 32) for _ in range(3))


def operators(*inputs: torch.Tensor) -> str:
    """The operators of attention that are called: times would mislead, as both are fast on few numbers."""
    with torch.no_grad(), torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as told:
        attention(*inputs)
    names = {event.name for event in told.events() if "attention" in event.name}
    return next((kind for kind in ("math", "flash") if any(kind in name for name in names)), "unknown")


kit.fact("kernel for four dimensions", operators(q[None], k[None], v[None]))
kit.fact("kernel for three dimensions", operators(q, k, v))
scores = (q @ k.mT / 32**0.5).softmax(-1)
kit.same("attention and the formula", attention(q, k, v), scores @ v, 1e-5)

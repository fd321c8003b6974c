"""FlexAttention on a GPU: a sliding window in Python, beside attention with the same mask."""

import kit
import torch
from torch.nn.functional import scaled_dot_product_attention

device = kit.cuda(8, 0)
kit.need(kit.api("torch.utils._triton.has_triton")(), "triton", "FlexAttention writes a Triton kernel")
flex = kit.api("torch.nn.attention.flex_attention")
length, window = 4096, 512
q, k, v = (
    torch.randn(1, 8, length, 64, device=device, dtype=torch.float16, requires_grad=True) for _ in range(3)
)


def near(b: torch.Tensor, h: torch.Tensor, row: torch.Tensor, column: torch.Tensor) -> torch.Tensor:
    return (row >= column) & (row - column <= window)


blocks = flex.create_block_mask(near, None, None, length, length, device="cuda")
at = torch.arange(length, device=device)
mask = near(at, at, at[:, None], at[None, :])
compiled = torch.compile(flex.flex_attention)


def flexible() -> torch.Tensor:
    out: torch.Tensor = compiled(q, k, v, block_mask=blocks)
    return out


def masked() -> torch.Tensor:
    return scaled_dot_product_attention(q, k, v, attn_mask=mask)


kit.same("FlexAttention and masked attention", flexible(), masked(), 0.01)
first, second = (torch.autograd.grad(call().float().square().sum(), (q, k, v)) for call in (flexible, masked))
kit.same("gradients", first, second, 0.05)
kit.fact("graphs compiled", kit.graphs())
with torch.no_grad():
    kit.interleaved("masked attention over FlexAttention", masked, flexible)

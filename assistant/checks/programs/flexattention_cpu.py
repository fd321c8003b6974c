"""FlexAttention on an x86 CPU: a sliding window in Python, compiled, beside attention with the same mask."""

import kit
import torch
from torch.nn.functional import scaled_dot_product_attention

kit.compiler()
flex = kit.api("torch.nn.attention.flex_attention")
length, window = 2048, 256
q, k, v = (torch.randn(1, 4, length, 64) for _ in range(3))


def near(b: torch.Tensor, h: torch.Tensor, row: torch.Tensor, column: torch.Tensor) -> torch.Tensor:
    return (row >= column) & (row - column <= window)


blocks = flex.create_block_mask(near, None, None, length, length, device="cpu")
at = torch.arange(length)
mask = near(at, at, at[:, None], at[None, :])
compiled = torch.compile(flex.flex_attention)


def flexible() -> torch.Tensor:
    with torch.no_grad():
        out: torch.Tensor = compiled(q, k, v, block_mask=blocks)
    return out


def masked() -> torch.Tensor:
    with torch.no_grad():
        return scaled_dot_product_attention(q, k, v, attn_mask=mask)


kit.same("FlexAttention and masked attention", flexible(), masked(), 1e-4)
kit.fact("graphs compiled", kit.graphs())
kit.fact("per cent of the blocks left out", round(float(blocks.sparsity())))
kit.interleaved("masked attention over FlexAttention", masked, flexible)

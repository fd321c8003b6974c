"""Attention by cuDNN on H100 or newer, beside FlashAttention."""

import kit
import torch
from torch.nn.functional import scaled_dot_product_attention

device = kit.cuda(9, 0)
kernels = kit.api("torch.nn.attention.sdpa_kernel")
backends = kit.api("torch.nn.attention.SDPBackend")
cudnn = kit.api("torch.nn.attention.SDPBackend.CUDNN_ATTENTION")
q, k, v = (torch.randn(4, 16, 4096, 128, device=device, dtype=torch.bfloat16) for _ in range(3))


def attention(backend: object) -> torch.Tensor:
    with kernels(backend), torch.no_grad():
        return scaled_dot_product_attention(q, k, v, is_causal=True)


kit.fact(
    "kernel by default", kit.attention_kernel(lambda: scaled_dot_product_attention(q, k, v, is_causal=True))
)
kit.fact("kernel for CUDNN_ATTENTION", kit.attention_kernel(lambda: attention(cudnn)))
kit.fact("kernel for FLASH_ATTENTION", kit.attention_kernel(lambda: attention(backends.FLASH_ATTENTION)))
kit.same("cuDNN and flash", attention(cudnn), attention(backends.FLASH_ATTENTION), 0.05)
kit.interleaved("flash over cuDNN", lambda: attention(backends.FLASH_ATTENTION), lambda: attention(cudnn))

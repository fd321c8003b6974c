"""Attention on a CPU: the flash kernel beside the math kernel, on the same causal attention."""

import kit
import torch
from torch.nn.functional import scaled_dot_product_attention

kernels = kit.api("torch.nn.attention.sdpa_kernel")
backends = kit.api("torch.nn.attention.SDPBackend")
q, k, v = (torch.randn(1, 8, 1024, 64) for _ in range(3))


def attention(backend: object) -> torch.Tensor:
    with kernels(backend), torch.no_grad():
        return scaled_dot_product_attention(q, k, v, is_causal=True)


kit.fact("kernel for FLASH_ATTENTION", kit.attention_kernel(lambda: attention(backends.FLASH_ATTENTION)))
kit.fact("kernel for MATH", kit.attention_kernel(lambda: attention(backends.MATH)))
kit.same("flash and math", attention(backends.FLASH_ATTENTION), attention(backends.MATH), 1e-4)
kit.interleaved(
    "math over flash", lambda: attention(backends.MATH), lambda: attention(backends.FLASH_ATTENTION)
)

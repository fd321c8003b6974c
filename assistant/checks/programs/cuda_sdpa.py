"""Attention on a GPU: flash, memory-efficient and math kernels agree, and flash is faster than math."""

import kit
import torch
from torch.nn.functional import scaled_dot_product_attention

device = kit.cuda(8, 0)
kernels = kit.api("torch.nn.attention.sdpa_kernel")
backends = kit.api("torch.nn.attention.SDPBackend")
q, k, v = (torch.randn(4, 16, 2048, 64, device=device, dtype=torch.float16) for _ in range(3))


def attention(backend: object) -> torch.Tensor:
    with kernels(backend), torch.no_grad():
        return scaled_dot_product_attention(q, k, v)


for backend, kernel in (("MATH", "math"), ("FLASH_ATTENTION", "flash"), ("EFFICIENT_ATTENTION", "efficient")):
    ran = kit.attention_kernel(lambda name=backend: attention(getattr(backends, name)))
    kit.fact(f"{kernel} kernel ran for {backend}", ran == kernel)
math = attention(backends.MATH)
kit.same("flash and math", attention(backends.FLASH_ATTENTION), math, 0.01)
kit.same("memory-efficient and math", attention(backends.EFFICIENT_ATTENTION), math, 0.01)
kit.interleaved(
    "math over flash", lambda: attention(backends.MATH), lambda: attention(backends.FLASH_ATTENTION)
)

"""FlashAttention-2 on a GPU: faster than the math kernel, and how many FLOPs a second it reaches."""

import time

import kit
import torch
from torch.nn.functional import scaled_dot_product_attention

device = kit.cuda(8, 0)
kernels = kit.api("torch.nn.attention.sdpa_kernel")
backends = kit.api("torch.nn.attention.SDPBackend")
batch, heads, length, width = 4, 16, 4096, 128
q, k, v = (torch.randn(batch, heads, length, width, device=device, dtype=torch.float16) for _ in range(3))


def attention(backend: object) -> torch.Tensor:
    with kernels(backend), torch.no_grad():
        return scaled_dot_product_attention(q, k, v)


def flash() -> torch.Tensor:
    return attention(backends.FLASH_ATTENTION)


kit.fact("kernel for FLASH_ATTENTION", kit.attention_kernel(flash))
kit.fact("kernel for MATH", kit.attention_kernel(lambda: attention(backends.MATH)))
kit.same("flash and math", flash(), attention(backends.MATH), 0.01)
kit.interleaved("math over flash", lambda: attention(backends.MATH), flash)
torch.cuda.synchronize()
start = time.perf_counter()
for _ in range(20):
    flash()
torch.cuda.synchronize()
seconds = (time.perf_counter() - start) / 20
kit.fact("TFLOP/s of flash", round(4 * batch * heads * length**2 * width / seconds / 1e12, 1))
kit.fact("GPU", torch.cuda.get_device_name())

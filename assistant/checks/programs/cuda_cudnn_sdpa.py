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


with torch.profiler.profile() as profile:
    scaled_dot_product_attention(q, k, v, is_causal=True)
names = {event.key for event in profile.key_averages()}
kit.fact("cuDNN is picked by default", any("cudnn_attention" in name for name in names))
kit.same("cuDNN and flash", attention(cudnn), attention(backends.FLASH_ATTENTION), 0.05)
kit.interleaved("flash over cuDNN", lambda: attention(backends.FLASH_ATTENTION), lambda: attention(cudnn))

"""Each implementation behind scaled_dot_product_attention gives what the written-out formula gives."""

import kit
import torch
from torch.nn.functional import scaled_dot_product_attention

kernels = kit.api("torch.nn.attention.sdpa_kernel")
backends = kit.api("torch.nn.attention.SDPBackend")
q, k, v = (torch.randn(2, 4, 64, 32) for _ in range(3))
formula = torch.softmax(q @ k.transpose(-2, -1) / 32**0.5, -1) @ v

ran = []
for backend in (backends.MATH, backends.FLASH_ATTENTION, backends.EFFICIENT_ATTENTION):
    try:
        with kernels(backend):  # switches the others off
            out = scaled_dot_product_attention(q, k, v)
            kernel = kit.attention_kernel(lambda: scaled_dot_product_attention(q, k, v))
    except RuntimeError:
        continue  # no kernel of this kind for this device
    ran.append(kernel)  # by the profiler: where the choice is ignored, another kernel agrees too
    kit.same(f"{backend.name} and the formula", out, formula, 1e-5)
kit.same("picked by itself and the formula", scaled_dot_product_attention(q, k, v), formula, 1e-5)
kit.fact("implementations that ran here", len({*ran}))
kit.fact("their names", ", ".join(ran))

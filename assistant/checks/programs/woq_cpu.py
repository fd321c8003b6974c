"""Weight-only quantization on a CPU: int8 and int4 weights beside bfloat16 ones, for a single token."""

import kit
import torch

int8_kernel = kit.api("torch.ops.aten._weight_int8pack_mm")
int4_pack = kit.api("torch.ops.aten._convert_weight_to_int4pack_for_cpu")
int4_kernel = kit.api("torch.ops.aten._weight_int4pack_mm_for_cpu")
width, group = 4096, 64
x = torch.randn(1, width).bfloat16()
weight = torch.randn(width, width).bfloat16() / 64
exact = x.float() @ weight.float().T

scale = weight.float().abs().amax(1) / 127
int8 = (weight.float() / scale[:, None]).round().clamp(-128, 127).to(torch.int8)
scale8 = scale.bfloat16()

grouped = weight.float().view(width, -1, group)
steps = (grouped.amax(2) - grouped.amin(2)) / 15
levels = ((grouped - grouped.amin(2, True)) / steps[..., None]).round().clamp(0, 15)
int4 = int4_pack(levels.view(width, width).to(torch.int32), 1)
middle = grouped.amin(2) + 8 * steps  # the kernel counts its levels from 8
scales4 = torch.stack([steps, middle], 2).transpose(0, 1).contiguous().bfloat16()


def run8() -> torch.Tensor:
    out: torch.Tensor = int8_kernel(x, int8, scale8)
    return out


def run4() -> torch.Tensor:
    out: torch.Tensor = int4_kernel(x, int4, group, scales4)
    return out


kit.same("int8 and exact, relative", (run8().float() - exact).norm() / exact.norm(), torch.tensor(0.0), 0.03)
kit.same("int4 and exact, relative", (run4().float() - exact).norm() / exact.norm(), torch.tensor(0.0), 0.15)
kit.interleaved("bfloat16 over int8", lambda: torch.nn.functional.linear(x, weight), run8)
kit.interleaved("bfloat16 over int4", lambda: torch.nn.functional.linear(x, weight), run4)

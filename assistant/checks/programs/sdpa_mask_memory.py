"""Attention with a mask on a CPU: the flash kernel works by blocks, and never holds all scores at once."""

import kit
import torch

PROGRAM = """
import sys, torch
from torch.nn.attention import SDPBackend, sdpa_kernel
torch.manual_seed(0)
torch.set_num_threads(1)
q, k, v = (torch.randn(1, 8, 2048, 32) for _ in range(3))
mask = torch.randn(2048, 2048)
attention = torch.nn.functional.scaled_dot_product_attention
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
with torch.no_grad(), sdpa_kernel(getattr(SDPBackend, sys.argv[1])):
    attention(q[:, :, :16], k[:, :, :16], v[:, :, :16], mask[:16, :16])  # what the first call loads
    before = peak()
    out = attention(q, k, v, mask)
    sys.stdout.write(str(peak() - before))
torch.save(out, sys.argv[1])
"""
kit.api("torch.nn.attention.sdpa_kernel")
peaks = {}
for name in ("FLASH_ATTENTION", "MATH"):
    told = kit.child(PROGRAM, name)
    peaks[name] = max(1.0, int(told) / 1024)
    kit.fact(f"MB that the call adds to the peak, {name}", round(peaks[name], 1))
kit.same("flash and math", torch.load("FLASH_ATTENTION"), torch.load("MATH"), 1e-4)
kit.fact("memory of math over memory of flash", round(peaks["MATH"] / peaks["FLASH_ATTENTION"], 1))

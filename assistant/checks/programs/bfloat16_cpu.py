"""bfloat16 on a CPU that computes in it: a matrix product beside the same in float32."""

import kit
import torch

a, b = torch.randn(768, 768), torch.randn(768, 768)
low_a, low_b = a.bfloat16(), b.bfloat16()
exact = low_a.float() @ low_b.float()
kit.same("bfloat16 and float32, of the same values", low_a @ low_b, exact, 2**-7 * float(exact.abs().max()))
kit.interleaved("float32 over bfloat16", lambda: a @ b, lambda: low_a @ low_b)

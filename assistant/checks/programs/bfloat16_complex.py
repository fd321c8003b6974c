"""bfloat16 with a complex number gives torch.bcomplex32."""

import warnings

import kit
import torch

kit.need(hasattr(torch, "bcomplex32"), "torch.bcomplex32", f"torch {torch.__version__} has no such dtype")
warnings.simplefilter("ignore")  # that it is experimental
x = torch.ones(4, dtype=torch.bfloat16)
# The dtype is asked for, and nothing is computed: few operators know it, and their errors would say no more.
kit.fact("bfloat16 with a complex number", str(torch.result_type(x, 1j)))
kit.fact("float16 with a complex number", str(torch.result_type(x.half(), 1j)))
kit.fact("after a cast to complex64", str((x.to(torch.complex64) + 1j).dtype))

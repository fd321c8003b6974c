"""float16 on a CPU, in eager mode and compiled: the results are those of float32 within its precision."""

import kit
import torch

kit.compiler()
net = torch.nn.Sequential(
    torch.nn.Linear(64, 96), torch.nn.GELU(), torch.nn.LayerNorm(96), torch.nn.Linear(96, 32)
)
x = torch.randn(16, 64)
with torch.no_grad():
    exact = net.half().float()(x.half().float())
    half = net.half()
    kit.same("eager float16 and float32", half(x.half()), exact, 0.02)
    compiled, sources = kit.api("torch._inductor.utils.run_and_get_code")(torch.compile(half), x.half())
    kit.same("compiled float16 and float32", compiled, exact, 0.02)
kit.fact("computed in float16", compiled.dtype == torch.float16)
kit.fact("float16 in the generated code", any("at::Half" in source for source in sources))

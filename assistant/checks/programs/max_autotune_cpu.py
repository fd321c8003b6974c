"""max-autotune on a CPU: a matrix product may come from Inductor's own C++ template."""

import kit
import torch

kit.compiler()
config = kit.api("torch._inductor.config")
generated = kit.api("torch._inductor.utils.run_and_get_code")
net = torch.nn.Linear(256, 256).eval()
x = torch.randn(64, 256)
settings = {"freezing": True, "max_autotune": True, "max_autotune_gemm_backends": "CPP"}
with torch.no_grad(), config.patch(settings):
    out, sources = generated(torch.compile(net), x)
    kit.same("compiled and eager", out, net(x), 1e-4)
kit.fact("a micro-kernel for the product is in the code", any("micro_gemm" in source for source in sources))

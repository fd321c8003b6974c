"""A compiled optimizer: the update of all parameters becomes one function, not one for each."""

import re

import kit
import torch

kit.compiler()
generated = kit.api("torch._inductor.utils.run_and_get_code")
parameters = [torch.nn.Parameter(torch.full((16, 16), float(n))) for n in range(20)]
for parameter in parameters:
    parameter.grad = torch.ones(16, 16)
optimizer = torch.optim.SGD(parameters, lr=0.5, foreach=True)
_, sources = generated(torch.compile(optimizer.step))
names = {name for source in sources for name in re.findall(r"(cpp_fused\w*) = async_compile", source)}
kit.fact("C++ functions for twenty parameters", len(names))
expected = [torch.full((16, 16), n - 0.5) for n in range(20)]
kit.same("parameters after one step, and p - 0.5", parameters, expected, 1e-6)

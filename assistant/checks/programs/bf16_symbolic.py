"""bfloat16 with symbolic shapes: one compiled graph serves every length under autocast."""

import kit
import torch
from torch._dynamo.testing import CompileCounterWithBackend

kit.compiler()
counter = CompileCounterWithBackend("inductor")
net = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 32)).eval()
compiled = torch.compile(net, dynamic=True, backend=counter)
with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
    for length in (7, 12, 30):
        x = torch.randn(length, 64)
        kit.same(f"compiled and eager, length {length}", compiled(x), net(x), 0.02)
    kit.fact("computed in bfloat16", compiled(x).dtype == torch.bfloat16)
kit.fact("graphs for three lengths", counter.frame_count)

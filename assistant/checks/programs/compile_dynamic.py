"""torch.compile(dynamic=True): one graph serves every batch size, in training as well."""

import kit
import torch
from torch._dynamo.testing import CompileCounterWithBackend

counter = CompileCounterWithBackend("aot_eager")  # no compiler needed: what counts are the graphs
net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU(), torch.nn.Linear(8, 2))
compiled = torch.compile(net, dynamic=True, backend=counter)
for batch in (3, 5, 8, 13, 21):
    x = torch.randn(batch, 8)
    net.zero_grad()
    compiled(x).square().sum().backward()
    gradients = [p.grad.clone() for p in net.parameters() if p.grad is not None]
    net.zero_grad()
    net(x).square().sum().backward()
    kit.same(f"gradients at batch size {batch}", gradients, [p.grad for p in net.parameters()], 1e-4)
kit.fact("graphs for five batch sizes", counter.frame_count)

"""A 2:4 sparse weight is a tensor subclass that torch.compile takes whole."""

import warnings

import kit
import torch

warnings.simplefilter("ignore")  # the prototype announces itself
device = kit.cuda(8, 0)
kit.need(kit.api("torch.utils._triton.has_triton")(), "triton", "Inductor writes Triton kernels for a GPU")
convert = kit.api("torch.sparse.to_sparse_semi_structured")
subclass = kit.api("torch.sparse.SparseSemiStructuredTensor")
linear = torch.nn.Linear(512, 512, bias=False, device=device, dtype=torch.float16)
mask = torch.tensor([0, 0, 1, 1], device=device).tile(512, 128).bool()
pruned = linear.weight.detach().masked_fill(~mask, 0)
linear.weight = torch.nn.Parameter(convert(pruned), requires_grad=False)
x = torch.randn(256, 512, device=device, dtype=torch.float16)

kit.fact("the weight is a SparseSemiStructuredTensor", isinstance(linear.weight.data, subclass))
with torch.no_grad():
    compiled = torch.compile(torch.nn.Sequential(linear, torch.nn.ReLU()), fullgraph=True)
    kit.same("compiled sparse and eager dense", compiled(x), torch.relu(x @ pruned.T), 0.02)
kit.fact("graphs compiled", kit.graphs())

"""Muon: the update of a weight matrix is made orthogonal, whatever the gradient is like."""

import kit
import torch

make = kit.api("torch.optim.Muon")
u, _ = torch.linalg.qr(torch.randn(32, 32))
v, _ = torch.linalg.qr(torch.randn(32, 32))
gradient = u @ torch.diag(torch.logspace(0, -1, 32)) @ v  # singular values from 1 down to 0.1
weight = torch.nn.Parameter(torch.randn(32, 32))
before = weight.detach().clone()
weight.grad = gradient.clone()
# Weight decay (0.1 unless given) and the learning rate would be in the difference of the weights as well.
make([weight], lr=1.0, weight_decay=0.0).step()
spread = torch.linalg.svdvals(gradient)
kit.fact("largest over smallest singular value of the gradient", round((spread[0] / spread[-1]).item(), 3))
values = torch.linalg.svdvals(before - weight.detach())
kit.fact("smallest singular value of the update", round(values.min().item(), 3))
kit.fact("largest singular value of the update", round(values.max().item(), 3))
bias = torch.nn.Parameter(torch.zeros(3))
kit.fact("a vector is refused", kit.refuses(lambda: make([bias]), ValueError))

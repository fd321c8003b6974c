"""2:4 sparsity on a GPU: a linear layer with two zeros in each four weights, dense and compressed."""

import warnings

import kit
import torch

warnings.simplefilter("ignore")  # the prototype announces itself
device = kit.cuda(8, 0)
convert = kit.api("torch.sparse.to_sparse_semi_structured")
width = 8192
mask = torch.tensor([0, 0, 1, 1], device=device).tile(width, width // 4).bool()
weight = (torch.randn(width, width, device=device) / 90).masked_fill(~mask, 0).half()
x = torch.randn(4096, width, device=device).half()
before = torch.cuda.memory_allocated()
sparse = convert(weight)
added = torch.cuda.memory_allocated() - before
kit.fact("bytes of the sparse weight over bytes of the dense one", added / weight.nbytes)
kit.fact("bytes allocated for it", added)


def dense_layer() -> torch.Tensor:
    return torch.nn.functional.linear(x, weight)


def sparse_layer() -> torch.Tensor:
    return torch.nn.functional.linear(x, sparse)


kit.same("the compressed weight, written out, and the weight", sparse.to_dense(), weight)
kit.same("sparse and dense layer", sparse_layer(), dense_layer(), 0.05)
kit.interleaved("dense over sparse", dense_layer, sparse_layer)

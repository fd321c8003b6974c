"""CUDA graphs: a chain of tiny operations, recorded once and replayed, beside launching each."""

import kit
import torch

device = kit.cuda()
x = torch.randn(64, 64, device=device)


def chain() -> torch.Tensor:
    out = x
    for _ in range(50):
        out = torch.tanh(out) + 0.5
    return out


warm = torch.cuda.Stream()
with torch.cuda.stream(warm):
    chain()
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    result = chain()
graph.replay()
kit.same("replayed and launched", result, chain())
x.copy_(torch.randn(64, 64))  # new data in the same memory
graph.replay()
kit.same("replayed with new data, and launched", result, chain())
kit.interleaved("launched over replayed", chain, graph.replay)

"""oneDNN Graph: a traced and frozen model gets fusion groups after its warm-up."""

import warnings

import kit
import torch

warnings.simplefilter("ignore")  # TorchScript is deprecated
kit.api("torch.jit.enable_onednn_fusion")
net = torch.nn.Sequential(
    torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.Conv2d(16, 16, 3), torch.nn.ReLU()
).eval()
x = torch.rand(1, 3, 48, 48)

torch.jit.enable_onednn_fusion(True)
with torch.no_grad():
    traced = torch.jit.freeze(torch.jit.trace(net, x))
    for _ in range(3):
        out = traced(x)
    graph = str(traced.graph_for(x))
kit.same("fused and eager", out, net(x), 1e-4)
kit.fact("fusion groups in the graph", graph.count("oneDNNFusionGroup"))

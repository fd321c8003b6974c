"""A compiled Adam step on a GPU, with and without CUDA graphs, beside the eager one."""

import copy

import kit
import torch

device = kit.cuda()
kit.need(kit.api("torch.utils._triton.has_triton")(), "triton", "Inductor writes Triton kernels for a GPU")
eager = torch.nn.ParameterList(torch.randn(64, 64, device=device) for _ in range(60))
models = [eager, copy.deepcopy(eager), copy.deepcopy(eager)]
for parameters in zip(*models, strict=True):
    gradient = torch.randn(64, 64, device=device)
    for parameter in parameters:
        parameter.grad = gradient.clone()
steps = [torch.optim.Adam(model, 1e-3, capturable=True, foreach=True).step for model in models]
calls = [steps[0], torch.compile(steps[1]), torch.compile(steps[2], mode="reduce-overhead")]
for call in calls:
    for _ in range(4):  # CUDA graphs are recorded in the second and third call
        call()
kit.same("compiled and eager parameters", [*models[1]], [*eager], 1e-4)
kit.same("with CUDA graphs and eager", [*models[2]], [*eager], 1e-4)
kit.fact("graphs compiled", kit.graphs())
kit.interleaved("eager over compiled", calls[0], calls[1])
kit.interleaved("eager over CUDA graphs", calls[0], calls[2])

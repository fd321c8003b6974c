"""torch.func: gradients of single samples, Hessians, ensembles, and vmap over an autograd.Function."""

from typing import Any

import kit
import torch

func = kit.api("torch.func")
net = torch.nn.Sequential(torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
x, y = torch.randn(5, 6), torch.randn(5, 1)
parameters = {name: p.detach() for name, p in net.named_parameters()}


def loss(weights: dict[str, torch.Tensor], a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return (func.functional_call(net, weights, (a,)) - b).square().sum()


each = func.vmap(func.grad(loss), in_dims=(None, 0, 0))(parameters, x, y)
for row in range(5):
    slow = torch.autograd.grad(loss(dict(net.named_parameters()), x[row], y[row]), [*net.parameters()])
    kit.same(
        f"gradient of sample {row}, by vmap and by itself", [each[n][row] for n in parameters], slow, 1e-5
    )

kit.same("Hessian of sum(x^3) and 6x", func.hessian(lambda a: (a**3).sum())(x[0]), torch.diag(6 * x[0]), 1e-5)

models = [torch.nn.Linear(6, 2) for _ in range(3)]
stacked, buffers = func.stack_module_state(models)
ensemble = func.vmap(lambda p, b: func.functional_call(models[0], (p, b), (x,)))(stacked, buffers)
kit.same("ensemble and its models one by one", ensemble, torch.stack([m(x) for m in models]), 1e-5)


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(a: torch.Tensor) -> torch.Tensor:
        return a**3

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> torch.Tensor:
        return gradient * 3 * ctx.saved_tensors[0] ** 2


slopes = func.vmap(func.grad(Cube.apply))(x[0])
kit.same("vmap and grad over an autograd.Function", slopes, 3 * x[0] ** 2, 1e-5)

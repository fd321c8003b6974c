"""torch.export.Dim: ranges, dimensions that are equal, and dimensions that depend on another."""

from typing import Any

import kit
import torch

Dim = kit.api("torch.export.Dim")
export = kit.api("torch.export.export")


class Add(torch.nn.Module):
    """Two vectors of one length."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y


class Shifted(torch.nn.Module):
    """The second is longer by one."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y[1:]


def module(net: torch.nn.Module, first: Any, second: Any, longer: int) -> Any:
    """The exported model, called like the model."""
    shapes = {"x": {0: first}, "y": {0: second}}
    return export(net, (torch.randn(5), torch.randn(5 + longer)), dynamic_shapes=shapes).module()


size = Dim("size", min=3, max=9)
equal = module(Add(), size, size, 0)
x, y = torch.randn(7), torch.randn(7)
kit.same("another size within the range", equal(x, y), x + y)
for length in (2, 10):
    refused = kit.refuses(lambda n=length: equal(torch.ones(n), torch.ones(n)))
    kit.fact(f"size {length}, outside of [3, 9], is refused", refused)
kit.fact("unequal sizes are refused", kit.refuses(lambda: equal(torch.ones(4), torch.ones(5))))

shifted = module(Shifted(), size, size + 1, 1)
y = torch.randn(8)
kit.same("sizes d and d + 1", shifted(x, y), x + y[1:])
kit.fact("sizes d and d + 2 are refused", kit.refuses(lambda: shifted(torch.ones(4), torch.ones(6))))

"""Dim.AUTO: export finds out by itself which dimensions vary, how they hang together, and which are fixed."""

import kit
import torch

auto = kit.api("torch.export.Dim.AUTO")
export = kit.api("torch.export.export")


class Model(torch.nn.Module):
    """x is shorter than y by one; the second dimension of both has to be 4."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return (x + y[1:]).reshape(-1, 2, 2)


every = {0: auto, 1: auto}
program = export(Model(), (torch.randn(5, 4), torch.randn(6, 4)), dynamic_shapes={"x": every, "y": every})
shapes = [node.meta["val"].shape for node in program.graph.nodes if node.op == "placeholder"]
kit.fact("the first dimension is symbolic", isinstance(shapes[0][0], torch.SymInt))
kit.fact("y is found to be longer by one", str(shapes[1][0]) == f"{shapes[0][0]} + 1")
module = program.module()
x, y = torch.randn(9, 4), torch.randn(10, 4)
kit.same("another size", module(x, y), (x + y[1:]).reshape(-1, 2, 2))
kit.fact("unrelated sizes are refused", kit.refuses(lambda: module(torch.ones(5, 4), torch.ones(9, 4))))

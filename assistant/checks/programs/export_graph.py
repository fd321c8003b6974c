"""torch.export: one graph of the whole model, saved and loaded, and no graph that would be wrong."""

import io

import kit
import torch

export = kit.api("torch.export")


class Branch(torch.nn.Module):
    """What it does depends on the data: no single graph is right."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1 if x.sum() > 0 else x - 1


net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).eval()
x = torch.randn(3, 4)
program = export.export(net, (x,))
kinds = {node.op for node in program.graph.nodes}
kit.fact("only inputs, calls and outputs in the graph", kinds == {"placeholder", "call_function", "output"})
kit.same("exported and eager", program.module()(x), net(x), 1e-6)

buffer = io.BytesIO()
export.save(program, buffer)
buffer.seek(0)
kit.same("saved, loaded and eager", export.load(buffer).module()(x), net(x), 1e-6)
kit.fact("a branch on data is refused", kit.refuses(lambda: export.export(Branch(), (x,))))

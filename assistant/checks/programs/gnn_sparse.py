"""Message passing on a CPU: torch.sparse.mm with a reduce flag, beside scatter_reduce over the edges."""

import kit
import torch

nodes, edges, width = 2000, 40000, 64
chosen = torch.randperm(nodes * nodes)[:edges].sort().values  # edges without duplicates, by target
target, source = chosen // nodes, chosen % nodes
features = torch.randn(nodes, width)
graph = torch.sparse_coo_tensor(
    torch.stack([target, source]), torch.ones(edges), (nodes, nodes)
).to_sparse_csr()
index = target.view(-1, 1).expand(-1, width)


def scatter(reduce: str) -> torch.Tensor:
    empty = torch.zeros(nodes, width)
    return empty.scatter_reduce(0, index, features[source], reduce, include_self=False)


for reduce in ("sum", "mean", "amax", "amin"):
    kit.same(
        f"sparse.mm and scatter_reduce, {reduce}",
        torch.sparse.mm(graph, features, reduce),
        scatter(reduce),
        1e-4,
    )
kit.interleaved(
    "scatter_reduce over sparse.mm", lambda: scatter("sum"), lambda: torch.sparse.mm(graph, features, "sum")
)

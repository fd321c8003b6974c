"""FSDP2: each parameter is a DTensor split by rows, and training goes as it does on one process."""

import copy

import kit
import torch


def worker() -> None:
    shard = kit.api("torch.distributed.fsdp.fully_shard")
    net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
    alone = copy.deepcopy(net)
    for layer in (net[0], net[2], net):
        shard(layer)
    weight = net[0].weight
    kit.fact(
        "the weight is a DTensor split by rows",
        type(weight).__name__ == "DTensor" and weight.placements[0].dim == 0,
    )
    kit.fact("rows on one of two ranks", weight.to_local().shape[0])
    optimizers = [torch.optim.SGD(model.parameters(), 0.1) for model in (net, alone)]
    for _ in range(3):
        x = torch.randn(6, 8)  # the same on both ranks, so the mean gradient is that of one process
        for model, optimizer in zip((net, alone), optimizers, strict=True):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
    whole = [p.full_tensor() for p in net.parameters()]
    kit.same("parameters after three steps, sharded and single", whole, [*alone.parameters()], 1e-5)


if __name__ == "__main__":
    kit.on_ranks(worker)

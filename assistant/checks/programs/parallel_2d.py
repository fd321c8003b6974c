"""2D parallelism: tensor parallelism in pairs, and fully sharded data parallelism across the pairs."""

import kit
import torch


def worker() -> None:
    parallel = kit.api("torch.distributed.tensor.parallel")
    shard = kit.api("torch.distributed.fsdp.fully_shard")
    init = kit.api("torch.distributed.device_mesh.init_device_mesh")
    mesh = init("cpu", (2, 2), mesh_dim_names=("data", "tensor"))
    mlp = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 8))
    x = torch.randn(4, 8)
    expected = mlp(x)
    plan = {"0": parallel.ColwiseParallel(), "2": parallel.RowwiseParallel()}
    parallel.parallelize_module(mlp, mesh["tensor"], plan)
    shard(mlp, mesh=mesh["data"])
    local = mlp[0].weight.to_local()
    kit.fact("part of the first weight on one of four ranks", local.numel() / (8 * 16))
    kit.same("2D and single model", mlp(x), expected, 1e-5)


if __name__ == "__main__":
    kit.on_ranks(worker, 4)

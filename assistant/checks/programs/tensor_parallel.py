"""Tensor parallelism: a column-wise and a row-wise linear layer need one all-reduce, and nothing else."""

import kit
import torch


def worker() -> None:
    parallel = kit.api("torch.distributed.tensor.parallel")
    mesh = kit.api("torch.distributed.device_mesh.init_device_mesh")("cpu", (2,))
    mode = kit.api("torch.distributed.tensor.debug.CommDebugMode")()
    mlp = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 8))
    x = torch.randn(4, 8)
    expected = mlp(x)
    plan = {"0": parallel.ColwiseParallel(), "2": parallel.RowwiseParallel()}
    sharded = parallel.parallelize_module(mlp, mesh, plan)
    with mode:
        out = sharded(x)
    kit.same("parallel and single model", out, expected, 1e-5)
    kit.fact("collectives", sum(mode.get_comm_counts().values()))
    kit.fact("kind", ", ".join(str(op).rpartition(".")[2] for op in mode.get_comm_counts()))
    kit.fact("rows of the first weight on one rank", sharded[0].weight.to_local().shape[0])


if __name__ == "__main__":
    kit.on_ranks(worker)

"""init_device_mesh: two lines set up a 2 by 2 mesh, with a process group for each dimension."""

import kit
import torch
import torch.distributed as dist


def worker() -> None:
    init = kit.api("torch.distributed.device_mesh.init_device_mesh")
    mesh = init("cpu", (2, 2), mesh_dim_names=("replicate", "shard"))
    down, across = mesh.get_group("replicate"), mesh.get_group("shard")
    kit.fact("ranks of the first column", str(dist.get_process_group_ranks(down)))
    kit.fact("ranks of the first row", str(dist.get_process_group_ranks(across)))
    x = torch.tensor([float(dist.get_rank())])
    dist.all_reduce(x, group=across)
    kit.same("sum over the first row and 0 + 1", x, torch.tensor([1.0]))
    dist.all_reduce(x, group=down)
    kit.same("then over the columns and 0 + 1 + 2 + 3", x, torch.tensor([6.0]))


if __name__ == "__main__":
    kit.on_ranks(worker, 4)

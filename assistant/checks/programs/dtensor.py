"""DTensor: a matrix product over sharded tensors is the product over whole ones."""

import kit
import torch
import torch.distributed as dist


def worker() -> None:
    tensor = kit.api("torch.distributed.tensor")
    mesh = kit.api("torch.distributed.device_mesh.init_device_mesh")("cpu", (2,))
    a, b = torch.randn(8, 6), torch.randn(6, 4)
    rows = tensor.distribute_tensor(a, mesh, [tensor.Shard(0)])
    whole = tensor.distribute_tensor(b, mesh, [tensor.Replicate()])
    product = rows @ whole
    kit.fact("rows on one of two ranks", rows.to_local().shape[0])
    kit.fact("the product stays sharded by rows", product.placements[0].is_shard(0))
    kit.same("sharded and plain product", product.full_tensor(), a @ b, 1e-5)
    columns = product.redistribute(mesh, [tensor.Shard(1)])
    kit.same("sharded by columns afterwards", columns.to_local(), (a @ b).chunk(2, 1)[dist.get_rank()], 1e-5)


if __name__ == "__main__":
    kit.on_ranks(worker)

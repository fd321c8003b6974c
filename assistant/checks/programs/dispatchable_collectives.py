"""init_process_group without a backend: the collective picks one by the device of its tensor."""

import os

import kit
import torch
import torch.distributed as dist


def worker() -> None:
    dist.barrier()  # all are connected
    dist.destroy_process_group()  # the group that the kit made names gloo; make one that names nothing
    store = dist.FileStore("meeting-point", 2)
    dist.init_process_group(store=store, rank=int(os.environ["RANK"]), world_size=2)
    x = torch.full((4,), float(dist.get_rank() + 1))
    dist.all_reduce(x)
    kit.same("all_reduce over two processes and 1 + 2", x, torch.full((4,), 3.0))
    # By device, as in "cpu:gloo,cuda:nccl"; a backend that was named would serve them all.
    kit.fact("backends by device", dist.get_backend_config())
    kit.fact("gloo is there for the CPU", "cpu:gloo" in dist.get_backend_config())
    kit.fact("a backend was named", dist.get_backend() != "undefined")


if __name__ == "__main__":
    kit.on_ranks(worker)

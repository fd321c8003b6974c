"""Flight Recorder: the collectives that ran are recorded, with their states and sizes."""

import os
import pickle

os.environ.setdefault("TORCH_FR_BUFFER_SIZE", "100")  # entries kept; 0 would mean off
os.environ.setdefault("TORCH_NCCL_TRACE_BUFFER_SIZE", "100")  # the older name

import kit
import torch
import torch.distributed as dist


def worker() -> None:
    dump = kit.api("torch._C._distributed_c10d._dump_fr_trace")
    dist.all_reduce(torch.ones(4))
    dist.barrier()
    entries = pickle.loads(dump())["entries"]
    names = [entry["profiling_name"] for entry in entries]
    kit.fact("entries", len(entries))
    kit.fact(
        "the all_reduce is among them", any("all_reduce" in name or "allreduce" in name for name in names)
    )
    kit.fact("its size is told", [4] in [size for entry in entries for size in entry["input_sizes"]])


if __name__ == "__main__":
    kit.on_ranks(worker)

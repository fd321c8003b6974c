"""Asynchronous checkpoints: a call returns before the data is written, and what changes later is left out."""

import shutil
import time
from pathlib import Path

import kit
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp

TURNS = 5


def worker() -> None:
    save = kit.api("torch.distributed.checkpoint.async_save")
    state = {f"weight {n}": torch.randn(1024, 1024) for n in range(12)}
    saved = {name: value.clone() for name, value in state.items()}
    waited, whole, early = [], [], 0
    for turn in range(-1, TURNS):  # the first is the warm-up
        folder = Path(f"async {turn}")
        start = time.perf_counter()
        dcp.save(state, checkpoint_id="plain")
        middle = time.perf_counter()
        pending = save(state, checkpoint_id=folder)
        end = time.perf_counter()
        # The metadata is written last. Changing the state now shows what was copied before the call returned.
        unwritten = not (folder / ".metadata").exists()
        for value in state.values():
            value.add_(1)
        pending.result()
        dist.barrier()
        copy = {name: torch.zeros(1024, 1024) for name in state}
        dcp.load(copy, checkpoint_id=folder)
        kit.same(f"saved and loaded, turn {turn + 2}", [*copy.values()], [*saved.values()])
        dist.barrier()
        if turn >= 0:
            early += unwritten
            whole.append(middle - start)
            waited.append(end - middle)
        if dist.get_rank() == 0:
            shutil.rmtree(folder)
        for name, value in state.items():
            value.copy_(saved[name])
    kit.fact("saves that returned before all was written", early)
    kit.ratio("time until save returns over time until async_save returns", whole, waited)


if __name__ == "__main__":
    kit.on_ranks(worker)

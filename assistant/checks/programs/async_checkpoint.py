"""Asynchronous checkpoints: the call returns before the data is written, and what is written is the same."""

import time

import kit
import torch
import torch.distributed.checkpoint as dcp


def worker() -> None:
    save = kit.api("torch.distributed.checkpoint.async_save")
    state = {f"weight {n}": torch.randn(1024, 1024) for n in range(12)}
    waited, whole = [], []
    for turn in range(-1, 5):  # the first is the warm-up
        start = time.perf_counter()
        dcp.save(state, checkpoint_id="plain")
        middle = time.perf_counter()
        pending = save(state, checkpoint_id="async")
        end = time.perf_counter()
        pending.result()
        if turn >= 0:
            whole.append(middle - start)
            waited.append(end - middle)
    copy = {name: torch.zeros(1024, 1024) for name in state}
    dcp.load(copy, checkpoint_id="async")
    kit.same("saved and loaded", [*copy.values()], [*state.values()])
    kit.ratio("time until save returns over time until async_save returns", whole, waited)


if __name__ == "__main__":
    kit.on_ranks(worker)

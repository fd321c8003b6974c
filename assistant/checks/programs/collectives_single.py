"""all_gather_single and reduce_scatter_single: new names, and the old ones warn and do the same."""

import warnings

import kit
import torch
import torch.distributed as dist


def worker() -> None:
    gather = kit.api("torch.distributed.all_gather_single")
    scatter = kit.api("torch.distributed.reduce_scatter_single")
    rank = dist.get_rank()
    mine = torch.full((2,), float(rank))
    gathered, again, part, part_again = torch.empty(4), torch.empty(4), torch.empty(2), torch.empty(2)
    with warnings.catch_warnings(record=True) as new:
        warnings.simplefilter("always")  # else a place warns once, and a warning missed would look like none
        gather(gathered, mine)
        scatter(part, torch.arange(4.0))
    with warnings.catch_warnings(record=True) as old:
        warnings.simplefilter("always")
        dist.all_gather_into_tensor(again, mine)
        dist.reduce_scatter_tensor(part_again, torch.arange(4.0))
    kit.fact("warnings for the new names", sum(w.category is FutureWarning for w in new))
    texts = [str(w.message) for w in old if w.category is FutureWarning]
    kit.fact("the old names warn of the new ones", all(any(n in t for t in texts) for n in NEW))
    kit.same("gathered, old and new", gathered, again)
    kit.same("gathered, and ranks", gathered, torch.tensor([0.0, 0.0, 1.0, 1.0]))
    kit.same("scattered, old and new", part, part_again)
    kit.same("scattered, and the sum", part, torch.arange(4.0).chunk(2)[rank] * 2)


NEW = ("all_gather_single", "reduce_scatter_single")
if __name__ == "__main__":
    kit.on_ranks(worker)

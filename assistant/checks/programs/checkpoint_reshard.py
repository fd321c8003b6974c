"""torch.distributed.checkpoint: two ranks save, three ranks load, and so does a single process."""

from pathlib import Path

import kit
import torch
import torch.distributed.checkpoint as dcp

FOLDER = Path("saved").absolute()


def sharded(value: torch.Tensor) -> torch.Tensor:
    """The tensor, split by rows over the ranks."""
    tensor = kit.api("torch.distributed.tensor")
    mesh = kit.api("torch.distributed.device_mesh.init_device_mesh")(
        "cpu", (torch.distributed.get_world_size(),)
    )
    out: torch.Tensor = tensor.distribute_tensor(value, mesh, [tensor.Shard(0)])
    return out


def save() -> None:
    dcp.save({"weight": sharded(torch.arange(48.0).view(12, 4))}, checkpoint_id=FOLDER)


def load() -> None:
    state = {"weight": sharded(torch.zeros(12, 4))}
    dcp.load(state, checkpoint_id=FOLDER)
    whole = state["weight"].full_tensor()
    kit.same("saved by 2 ranks, loaded by 3", whole, torch.arange(48.0).view(12, 4))


if __name__ == "__main__":
    kit.on_ranks(save, 2)
    kit.fact("files written", len([*FOLDER.glob("*.distcp")]))
    kit.on_ranks(load, 3)
    alone = {"weight": torch.zeros(12, 4)}
    dcp.load(alone, checkpoint_id=FOLDER, no_dist=True)
    kit.same("loaded without a process group", alone["weight"], torch.arange(48.0).view(12, 4))

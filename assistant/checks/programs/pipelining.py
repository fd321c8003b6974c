"""torch.distributed.pipelining: a model cut into two stages, fed with four micro-batches."""

import kit
import torch
import torch.distributed as dist


class Net(torch.nn.Module):
    """Two linear layers, to be cut between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = torch.nn.Linear(8, 16), torch.nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.second(torch.relu(self.first(x)))
        return out


def worker() -> None:
    pipelining = kit.api("torch.distributed.pipelining")
    net, x, rank = Net(), torch.randn(8, 8), dist.get_rank()
    cut = {"second": pipelining.SplitPoint.BEGINNING}
    pipe = pipelining.pipeline(net, mb_args=(x[:2],), split_spec=cut)
    stage = pipe.build_stage(rank, torch.device("cpu"))
    batches: list[int] = []
    stage.submod.register_forward_hook(lambda module, inputs, out: batches.append(out.shape[0]))
    schedule = pipelining.ScheduleGPipe(stage, n_microbatches=4)
    out = schedule.step(x) if rank == 0 else schedule.step()
    result = out if rank == 1 else torch.empty(8, 4)
    dist.broadcast(result, src=1)
    kit.fact("stages", pipe.num_stages)
    kit.fact("parameters of the first stage, of four", len([*stage.submod.parameters()]))
    kit.fact("micro-batches that the first stage ran", str(batches))
    kit.same("the pipeline's output and the whole model's", result, net(x), 1e-5)


if __name__ == "__main__":
    kit.on_ranks(worker)

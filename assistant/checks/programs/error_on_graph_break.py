"""error_on_graph_break: regions of compiled code in which a graph break is an error, or is not."""

import kit
import torch
from torch._dynamo.testing import CompileCounter

error_on_graph_break = kit.api("torch._dynamo.error_on_graph_break")
graph_break = torch._dynamo.graph_break
unsupported = torch._dynamo.exc.Unsupported
counter = CompileCounter()


def outside(x: torch.Tensor) -> torch.Tensor:
    x = x + 1
    graph_break()
    with error_on_graph_break(True):
        return x * 2


def inside(x: torch.Tensor) -> torch.Tensor:
    with error_on_graph_break(True):
        x = x + 1
        graph_break()
        return x * 2


@error_on_graph_break(False)
def lenient(x: torch.Tensor) -> torch.Tensor:
    graph_break()
    return x * 2


def inside_again(x: torch.Tensor) -> torch.Tensor:
    with error_on_graph_break(True):
        return lenient(x + 1)


# A right result alone would mislead: code that was never compiled gives it too. So graphs are counted.
one = torch.ones(2)
kit.same("a break outside of the region", torch.compile(outside, backend=counter)(one), torch.full((2,), 4.0))
kit.fact("graphs around a break outside", counter.frame_count)
kit.fact(
    "a break inside is an error",
    kit.refuses(lambda: torch.compile(inside, backend="eager")(one), unsupported),
)
kit.same("False within True", torch.compile(inside_again, backend="eager")(one), torch.full((2,), 4.0))
strict = torch.compile(lambda x: lenient(x + 1), backend="eager", fullgraph=True)
kit.fact("fullgraph=True takes precedence over False", kit.refuses(lambda: strict(one), unsupported))

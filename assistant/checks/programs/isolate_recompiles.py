"""torch.compile(isolate_recompiles=True): compilations of one function have caches of their own."""

import inspect

import kit
import torch
from torch._dynamo.testing import CompileCounter

kit.need(
    "isolate_recompiles" in inspect.signature(torch.compile).parameters,
    "isolate_recompiles",
    "torch.compile lacks it",
)


def scale(x: torch.Tensor, k: int) -> torch.Tensor:
    return x * k


def graphs(*, isolated: bool) -> int:
    """Graphs of a second compilation, after a first one has used up the limit of recompilations."""
    torch._dynamo.reset()  # else what was compiled in an earlier call of this function counts too
    first, second = CompileCounter(), CompileCounter()
    for counter, constants in ((first, range(2, 14)), (second, range(20, 23))):
        compiled = torch.compile(scale, backend=counter, dynamic=False, isolate_recompiles=isolated)
        for k in constants:
            kit.same(f"times {k}", compiled(torch.ones(2), k), torch.full((2,), float(k)))
    return second.frame_count


kit.fact("graphs of a second compilation, isolated", graphs(isolated=True))
kit.fact("graphs of a second compilation, not isolated", graphs(isolated=False))

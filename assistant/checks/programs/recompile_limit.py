"""torch.compile(recompile_limit=): how often one function may be compiled again."""

import inspect
from typing import Any

import kit
import torch
from torch._dynamo.testing import CompileCounter

kit.need(
    "recompile_limit" in inspect.signature(torch.compile).parameters,
    "recompile_limit",
    "torch.compile lacks it",
)
general = torch._dynamo.config.recompile_limit


def graphs(**options: Any) -> int:
    """Graphs for twelve constants; caches are emptied, as an earlier function of the same code counts too."""
    torch._dynamo.reset()
    counter = CompileCounter()
    scale = torch.compile(lambda x, k: x * k, backend=counter, dynamic=False, **options)  # sizes never merge
    for k in range(2, 14):  # 0 and 1 are special to Dynamo
        kit.same(f"times {k}", scale(torch.ones(2), k), torch.full((2,), float(k)))
    return counter.frame_count


kit.fact("graphs with the limit 3", graphs(recompile_limit=3))
kit.fact("graphs with the limit 16", graphs(recompile_limit=16))
kit.fact("graphs without a limit given equal the general limit", graphs() == min(general, 12))
kit.fact("the general limit is untouched", torch._dynamo.config.recompile_limit == general)

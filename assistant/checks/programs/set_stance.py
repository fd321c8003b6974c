"""torch.compiler.set_stance: what torch.compile does may change from call to call."""

import kit
import torch
from torch._dynamo.testing import CompileCounter

set_stance = kit.api("torch.compiler.set_stance")
counter = CompileCounter()


@torch.compile(backend=counter, dynamic=False)
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


double(torch.ones(3))
kit.fact("graphs after the first call", counter.frame_count)
with set_stance("eager_on_recompile"):
    kit.same("a new shape, run in eager mode", double(torch.ones(4)), torch.full((4,), 2.0))
kit.fact("graphs after a new shape under eager_on_recompile", counter.frame_count)
with set_stance("fail_on_recompile"):
    kit.fact(
        "fail_on_recompile refuses a new shape", kit.refuses(lambda: double(torch.ones(5)), RuntimeError)
    )
with set_stance("force_eager"):
    kit.same("force_eager", double(torch.ones(6)), torch.full((6,), 2.0))
kit.fact("graphs after force_eager", counter.frame_count)
double(torch.ones(7))
kit.fact("graphs after a new shape without a stance", counter.frame_count)

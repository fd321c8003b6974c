"""torch.compiler.set_default_backend: what torch.compile uses where no backend is named."""

import kit
import torch
from torch._dynamo.testing import CompileCounter

set_default = kit.api("torch.compiler.set_default_backend")
get_default = kit.api("torch.compiler.get_default_backend")
general, named = CompileCounter(), CompileCounter()


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


kit.fact("default at the start", str(get_default()))
set_default(general)
kit.same("by the default", torch.compile(double)(torch.ones(3)), torch.full((3,), 2.0))
kit.fact("graphs of the default", general.frame_count)
torch._dynamo.reset()  # else the graph of the first call could serve the second, and no backend be asked
kit.same("by name", torch.compile(double, backend=named)(torch.ones(3)), torch.full((3,), 2.0))
kit.fact("graphs of the named backend", named.frame_count)
kit.fact("graphs of the default afterwards", general.frame_count)
set_default(None)
kit.fact("default after None", str(get_default()))

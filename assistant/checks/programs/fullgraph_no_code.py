"""torch.compile(fullgraph=True) raises where a call runs no compiled code."""

import warnings
from typing import Any

import kit
import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Plain(TorchDispatchMode):
    """A mode of a user, under which Dynamo skips a call."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def increase(x: torch.Tensor) -> torch.Tensor:
    return x.sin() + 1


def told(compiled: Any) -> str:
    """The error, or "" where there is none. A warning is no error: it is passed over, as 2.12 only warns."""
    with warnings.catch_warnings(), Plain():
        warnings.simplefilter("ignore")
        try:
            compiled(torch.ones(3))
        except RuntimeError as error:
            return str(error)
    return ""


torch.compiler.reset()
strict = torch.compile(increase, fullgraph=True, backend="eager")
kit.fact("the error says that nothing was compiled", "no compiled frames" in told(strict))
torch.compiler.reset()  # a function that was skipped once is skipped ever after, outside of the mode too
strict = torch.compile(increase, fullgraph=True, backend="eager")
kit.same("outside of the mode", strict(torch.ones(3)), increase(torch.ones(3)))
torch.compiler.reset()
kit.fact("without fullgraph=True there is no error", not told(torch.compile(increase, backend="eager")))

"""clamp, fmin and fmax: gradients exactly at a bound or at a tie, where there is no derivative."""

from collections.abc import Callable

import kit
import torch


def gradient(call: Callable[[torch.Tensor], torch.Tensor], at: float = 0.0) -> float:
    x = torch.tensor(at, requires_grad=True)
    call(x).backward()
    return x.grad.item() if x.grad is not None else 0.0


# Only zeros and ones, which are exact: beside the bound by rounding, the gradient would be that of one side.
zero = torch.zeros(())
kit.fact("clamp at a scalar bound", gradient(lambda x: torch.clamp(x, min=0.0)))
kit.fact("clamp_min at a scalar bound", gradient(lambda x: torch.clamp_min(x, 0.0)))
kit.fact("clamp_max at a scalar bound", gradient(lambda x: torch.clamp_max(x, 0.0)))
kit.fact("clamp at a tensor bound", gradient(lambda x: torch.clamp(x, min=zero)))
kit.fact("fmin at a tie", gradient(lambda x: torch.fmin(x, zero)))
kit.fact("fmax at a tie", gradient(lambda x: torch.fmax(x, zero)))
kit.fact("clamp_min above its bound", gradient(lambda x: torch.clamp_min(x, 0.0), 1.0))
kit.fact("clamp_min below its bound", gradient(lambda x: torch.clamp_min(x, 0.0), -1.0))

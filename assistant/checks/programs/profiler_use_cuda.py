"""The profilers refuse the argument use_cuda."""

from typing import Any

import kit
import torch
from torch.profiler import ProfilerActivity

new: Any = torch.profiler.profile
old: Any = torch.autograd.profiler.profile


def told(profiler: Any) -> str:
    """The error for use_cuda=False, which needs no GPU: with True a machine without one might fail anyhow."""
    try:
        profiler(use_cuda=False)
    except TypeError as error:
        return str(error)
    return ""


kit.fact("torch.profiler.profile refuses it", "'use_cuda'" in told(new))
kit.fact("torch.autograd.profiler.profile refuses it", "'use_cuda'" in told(old))
with new(activities=[ProfilerActivity.CPU]) as seen:
    torch.ones(8).sum()
kit.fact("without it events are recorded", len(seen.key_averages()) > 0)

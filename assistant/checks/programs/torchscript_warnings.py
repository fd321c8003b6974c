"""TorchScript: torch.jit.script, trace, save and load warn, in a way that Python shows by default."""

import warnings
from collections.abc import Callable
from pathlib import Path

import kit
import torch


def told(call: Callable[[], object]) -> str:
    """The kind of warning of it; all are let through, as Python tells each place only once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return next((w.category.__name__ for w in caught if "is deprecated" in str(w.message)), "none")


model = torch.nn.Linear(4, 2)
x = torch.ones(1, 4)
scripted = torch.jit.script(model)
kit.fact("torch.jit.script", told(lambda: torch.jit.script(model)))
kit.fact("torch.jit.trace", told(lambda: torch.jit.trace(model, x)))
kit.fact("torch.jit.save", told(lambda: torch.jit.save(scripted, Path("model.pt"))))
kit.fact("torch.jit.load", told(lambda: torch.jit.load("model.pt")))
kit.same("scripted and eager", scripted(x), model(x), 1e-6)

"""Named tensors are gone: methods, attributes and the argument names=."""

from typing import Any

import kit
import torch

GONE = ("names", "rename", "rename_", "refine_names", "align_to", "align_as")
x: Any = torch.zeros(2, 3, 4)
kit.fact("attributes of a tensor that are left", sum(hasattr(x, name) for name in GONE))
kit.fact("torch.align_tensors is gone", not hasattr(torch, "align_tensors"))
# Any TypeError would do for a wrong call, so that the same call without names= has to work.
for make in (torch.zeros, torch.ones, torch.empty):
    make(2, 3)
    refused = kit.refuses(lambda make=make: make(2, 3, names=("N", "C")), TypeError)
    kit.fact(f"names= is refused by torch.{make.__name__}", refused)

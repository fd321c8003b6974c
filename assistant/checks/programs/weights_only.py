"""torch.load refuses pickles that run code, unless weights_only=False is given."""

import os
import pickle
from pathlib import Path
from typing import Any

import kit
import torch


class Trap:
    """An object whose unpickling calls a function: here one that only makes a folder."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("trap-sprung",)


torch.save({"weight": torch.ones(3), "extra": Trap()}, "trap.pt")
torch.save({"weight": torch.ones(3)}, "weights.pt")

kit.fact("the trap is refused by default", kit.refuses(lambda: torch.load("trap.pt"), pickle.UnpicklingError))
kit.fact("no code ran", not Path("trap-sprung").exists())
kit.same("plain weights load", torch.load("weights.pt")["weight"], torch.ones(3))
torch.load("trap.pt", weights_only=False)
kit.fact("weights_only=False runs the code", Path("trap-sprung").exists())

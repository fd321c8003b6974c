"""TorchDynamo traces raise, try and except, and mappings of one's own, without breaking the graph."""

from collections.abc import Iterator, MutableMapping

import kit
import torch
from torch._dynamo.testing import CompileCounter


class Shelf(MutableMapping[str, torch.Tensor]):
    """A mapping of one's own."""

    def __init__(self) -> None:
        self.inner: dict[str, torch.Tensor] = {}

    def __getitem__(self, key: str) -> torch.Tensor:
        return self.inner[key]

    def __setitem__(self, key: str, value: torch.Tensor) -> None:
        self.inner[key] = value

    def __delitem__(self, key: str) -> None:
        del self.inner[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.inner)

    def __len__(self) -> int:
        return len(self.inner)


def raised(x: torch.Tensor) -> torch.Tensor:
    try:
        raise ValueError("on purpose")
    except ValueError:
        return x + 1


def looked_up(x: torch.Tensor) -> torch.Tensor:
    try:
        return x * {"two": 2}["three"]
    except KeyError:
        return x * 3
    finally:
        x = x + 1


def shelved(x: torch.Tensor) -> torch.Tensor:
    shelf = Shelf()
    shelf["a"] = x.sin()
    shelf["b"] = shelf["a"] + 1
    return shelf["a"] * shelf["b"] * len(shelf)


x = torch.randn(5)
for call in (raised, looked_up, shelved):
    counter = CompileCounter()
    compiled = torch.compile(call, fullgraph=True, backend=counter)  # a graph break would be an error
    kit.same(f"{call.__name__}, as one graph and eager", compiled(x), call(x), 1e-6)
    # A right result alone would mislead: code that was never compiled gives it too.
    kit.fact(f"graphs of {call.__name__}", counter.frame_count)
    kit.fact(f"operations in the graph of {call.__name__}", counter.op_count)

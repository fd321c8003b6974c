"""torch.cat: wrong arguments raise specific errors, and sizes that do not match still a RuntimeError."""

from collections.abc import Callable

import kit
import torch


def raised(call: Callable[[], object]) -> str:
    """The very type that is raised: a type that `except RuntimeError` catches too would be no change."""
    try:
        call()
    except (RuntimeError, ValueError, IndexError, TypeError) as error:
        return type(error).__name__
    return "nothing"


one = torch.ones(2)
odd: list[object] = [one, 3]
kit.fact("error for an empty list", raised(lambda: torch.cat([])))
kit.fact("error for a wrong dim", raised(lambda: torch.cat([one, one], dim=3)))
kit.fact("error for an element that is no tensor", raised(lambda: torch.cat(odd)))  # type: ignore[arg-type]
whole = torch.empty(4, dtype=torch.int32)
kit.fact("error for an out tensor of an unfit dtype", raised(lambda: torch.cat([one, one], out=whole)))
kit.fact("error for sizes that do not match", raised(lambda: torch.cat([torch.ones(2, 2), torch.ones(3, 3)])))
kit.same("what is right", torch.cat([one, one]), torch.ones(4))

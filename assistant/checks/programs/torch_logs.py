"""TORCH_LOGS: silent unless set, and each name turns on its own part of the compiler's log."""

import kit

PROGRAM = """
import sys
sys.stderr = sys.stdout  # where the log goes
import torch
f = torch.compile(lambda x: torch.relu(x) + 1, backend="eager")
f(torch.ones(3)); f(torch.ones(4)); f(torch.ones(5, 2))
"""


def lines(logs: str) -> int:
    """Lines that a small compiled program logs."""
    return len(kit.child(PROGRAM, TORCH_LOGS=logs).splitlines())


kit.fact("lines without TORCH_LOGS", lines(""))
for name in ("graph_code", "recompiles", "guards", "+dynamo"):
    kit.fact(f"lines with {name}", lines(name))
kit.fact("a name that does not exist is refused", kit.refuses(lambda: lines("no_such_part"), RuntimeError))

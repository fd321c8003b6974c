"""Compiling the repeated block or the whole model: how long the first call takes, in a new process each."""

import tempfile

import kit
import torch

PROGRAM = """
import sys, time, torch
torch.set_num_threads(1)
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(64)
        self.up, self.down = torch.nn.Linear(64, 128), torch.nn.Linear(128, 64)
    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))
torch.manual_seed(0)
model, x = torch.nn.Sequential(*(Block() for _ in range(24))).eval(), torch.randn(4, 64)
with torch.no_grad():
    expected = model(x)
    torch.compile(lambda a: a + 1)(x)  # what any first compilation costs
    start = time.perf_counter()
    if sys.argv[1] == "full":
        model.compile()
    else:
        for block in model:
            block.compile()
    difference = (model(x) - expected).abs().max().item()
graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
sys.stdout.write(f"{time.perf_counter() - start} {difference} {graphs}")
"""


def first_call(kind: str) -> list[float]:
    """Seconds of the first call, difference to eager, graphs; with caches of its own."""
    with tempfile.TemporaryDirectory() as cache:
        told = kit.child(PROGRAM, kind, TORCHINDUCTOR_CACHE_DIR=cache)
    return [float(word) for word in told.split()]


kit.compiler()
pairs = [(first_call("full"), first_call("regional")) for _ in range(3)]
for name, index in (("full", 0), ("regional", 1)):
    differences = torch.tensor([pair[index][1] for pair in pairs])
    kit.same(f"{name} compilation and eager", differences, torch.zeros(3), 1e-4)
kit.fact("graphs for 24 blocks", int(pairs[0][1][2]) - 1)
kit.ratio(
    "first call, full over regional", [full[0] for full, _ in pairs], [region[0] for _, region in pairs]
)

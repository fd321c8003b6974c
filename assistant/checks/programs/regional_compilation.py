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
class Model(torch.nn.Module):  # nn.Sequential is not ours: its own forward would not be compiled
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(24))
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
torch.manual_seed(0)
model, x = Model().eval(), torch.randn(4, 64)
with torch.no_grad():
    expected = model(x)
    torch.compile(lambda a: a + 1)(x)  # what any first compilation costs
    start = time.perf_counter()
    if sys.argv[1] == "full":
        model.compile()
    else:
        for block in model.blocks:
            block.compile()
    difference = (model(x) - expected).abs().max().item()
seconds, stats = time.perf_counter() - start, torch._dynamo.utils.counters["stats"]
sys.stdout.write(f"{seconds} {difference} {stats['unique_graphs'] - 1} {stats['calls_captured'] - 1}")
"""


def first_call(kind: str) -> list[float]:
    """Seconds of the first call, difference to eager, graphs and calls in them; with caches of its own."""
    with tempfile.TemporaryDirectory() as cache:
        told = kit.child(PROGRAM, kind, TORCHINDUCTOR_CACHE_DIR=cache)
    return [float(word) for word in told.split()]


kit.compiler()
pairs = [(first_call("full"), first_call("regional")) for _ in range(3)]
for name, index in (("full", 0), ("regional", 1)):
    differences = torch.tensor([pair[index][1] for pair in pairs])
    kit.same(f"{name} compilation and eager", differences, torch.zeros(3), 1e-4)
kit.fact("graphs for 24 blocks", int(pairs[0][1][2]))
kit.fact("blocks in the graph of the whole", pairs[0][0][3] / pairs[0][1][3])
kit.ratio(
    "first call, full over regional", [full[0] for full, _ in pairs], [region[0] for _, region in pairs]
)

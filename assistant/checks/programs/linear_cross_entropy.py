"""LinearCrossEntropyLoss: with options it works by chunks, and never holds all logits at once."""

import kit
import torch

# Each variant has a process of its own: a peak never falls again, and memory that one freed serves the next.
PROGRAM = """
import sys, torch
torch.manual_seed(0)
torch.set_num_threads(1)
rows, features, words = 2048, 32, 16384
hidden = torch.randn(rows, features)
weight = torch.randn(words, features) / 8
target = torch.randint(words, (rows,))
def options():
    return torch.nn.LinearCrossEntropyOptions() if sys.argv[1] == "options" else None
def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
def step(rows, words):
    x, w = (t.clone().requires_grad_() for t in (hidden[:rows], weight[:words]))
    if sys.argv[1] == "plain":
        loss = torch.nn.functional.cross_entropy(x @ w.T, target[:rows] % words)
    else:
        loss = torch.nn.functional.linear_cross_entropy(x, w, target[:rows] % words, options=options())
    loss.backward()
    return [loss.detach(), x.grad, w.grad]
step(16, 32)  # what the first call loads
before = peak()
result = step(rows, words)
sys.stdout.write(str(peak() - before))
torch.save(result, sys.argv[1])
"""
kit.api("torch.nn.LinearCrossEntropyLoss")
kit.api("torch.nn.LinearCrossEntropyOptions")
megabytes = {}
for name in ("plain", "default", "options"):
    megabytes[name] = max(1.0, int(kit.child(PROGRAM, name)) / 1024)
    kit.fact(f"MB that a step adds to the peak, {name}", round(megabytes[name], 1))
for name in ("default", "options"):
    kit.same(f"loss and gradients, {name} and plain", torch.load(name), torch.load("plain"), 1e-4)
kit.fact("memory of plain over memory with options", round(megabytes["plain"] / megabytes["options"], 1))
kit.fact(
    "without options all logits are held (MB)", round(megabytes["default"])
)  # 2048 * 16384 * 4 bytes: 128

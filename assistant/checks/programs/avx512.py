"""AVX512 kernels are the default, a variable goes back to AVX2, and sigmoid is faster with them."""

import kit
import torch

PROGRAM = """
import sys, time, torch
torch.set_num_threads(1)
x = torch.linspace(-8, 8, 1 << 16)
def seconds():
    start = time.perf_counter()
    for _ in range(10): torch.sigmoid(x)
    return (time.perf_counter() - start) / 10
seconds()
value = torch.sigmoid(x).double().sum().item()
sys.stdout.write(f"{torch.backends.cpu.get_cpu_capability()} {min(seconds() for _ in range(300))} {value}")
"""


def run(capability: str) -> tuple[str, float, float]:
    """Capability, seconds and result of a process of its own: the choice is made when torch is loaded."""
    name, seconds, value = kit.child(PROGRAM, ATEN_CPU_CAPABILITY=capability).split()
    return name, float(seconds), float(value)


kit.need("AVX512" in torch.backends.cpu.get_cpu_capability(), "AVX512", "this CPU or this build has none")
pairs = [(run("avx2"), run("")) for _ in range(4)]
kit.fact("capability by default", pairs[0][1][0])
kit.fact("capability with ATEN_CPU_CAPABILITY=avx2", pairs[0][0][0])
kit.same("sum of sigmoid, AVX2 and AVX512", torch.tensor(pairs[0][0][2]), torch.tensor(pairs[0][1][2]), 0.5)
kit.ratio("AVX2 over AVX512, sigmoid", [old[1] for old, _ in pairs], [new[1] for _, new in pairs])

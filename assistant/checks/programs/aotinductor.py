"""AOTInductor: an exported model becomes a shared library, which a fresh process loads and runs."""

from pathlib import Path

import kit
import torch

kit.compiler()
compile_model = kit.api("torch._export.aot_compile")
batch = kit.api("torch.export.Dim")("batch", min=2, max=64)
net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).eval()
with torch.no_grad():
    library = compile_model(net, (torch.randn(4, 8),), dynamic_shapes=({0: batch},))
    x = torch.randn(9, 8)  # not the size it was compiled with
    expected = net(x)
# By its first bytes: a pickled model in a file of that name would run as well.
machine_code = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"MZ")
kit.fact("a shared library", Path(library).read_bytes().startswith(machine_code))

torch.save(x, "x.pt")
LOAD = """
import sys, torch
torch.save(torch._export.aot_load(sys.argv[1], "cpu")(torch.load("x.pt")), "y.pt")
"""
kit.child(LOAD, library)
kit.same("a fresh process with the library, and eager", torch.load("y.pt"), expected, 1e-5)

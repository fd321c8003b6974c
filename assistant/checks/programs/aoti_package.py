"""AOTInductor packages: one .pt2 file, a zip, that a fresh process loads, with metadata of one's own."""

import zipfile

import kit
import torch

kit.compiler()
package = kit.api("torch._inductor.aoti_compile_and_package")
net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).eval()
x = torch.randn(3, 8)
with torch.no_grad():
    expected = net(x)
    configs = {"aot_inductor.metadata": {"owner": "torchnotes"}}
    path = package(torch.export.export(net, (x,)), package_path="model.pt2", inductor_configs=configs)
kit.fact("a zip", zipfile.is_zipfile(path))
# A pickled model would run as well: compiled code is what makes it a package of AOTInductor.
with zipfile.ZipFile(path) as archive:
    kit.fact("libraries in it", sum(name.endswith((".so", ".dylib", ".pyd")) for name in archive.namelist()))

torch.save(x, "x.pt")
LOAD = """
import sys, torch
model = torch._inductor.aoti_load_package(sys.argv[1])
torch.save(model(torch.load("x.pt")), "y.pt")
sys.stdout.write(model.get_metadata().get("owner", ""))
"""
owner = kit.child(LOAD, path)
kit.same("a fresh process with the package, and eager", torch.load("y.pt"), expected, 1e-5)
kit.fact("metadata read back", owner == "torchnotes")

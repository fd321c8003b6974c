"""AOTInductor's library asks torch for plain C symbols only, which stay the same from release to release."""

import shutil
import subprocess
import zipfile

import kit
import torch

kit.compiler()
nm = shutil.which("nm")
kit.need(nm, "nm", "it lists the symbols of a library")
package = kit.api("torch._inductor.aoti_compile_and_package")
net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).eval()
x = torch.randn(3, 8)
with torch.no_grad():
    path = package(torch.export.export(net, (x,)), package_path="model.pt2")
with zipfile.ZipFile(path) as archive:
    library = next(name for name in archive.namelist() if name.endswith(".so"))
    archive.extract(library)
command = [str(nm), "--dynamic", "--undefined-only", "--demangle", library]
listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
symbols = [line.split(" U ", 1)[-1].strip() for line in listed]
kit.fact("C++ symbols of torch", sum(name.startswith(("at::", "c10::", "torch::")) for name in symbols))
kit.fact("C symbols of torch", sum(name.startswith("aoti_torch_") for name in symbols))
kit.same("the library and eager", kit.api("torch._inductor.aoti_load_package")(path)(x), net(x), 1e-5)

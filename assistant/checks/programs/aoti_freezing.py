"""AOTInductor with freezing: convolution and linear layers call oneDNN with weights that are packed ahead."""

from pathlib import Path

import kit
import torch

kit.compiler()
compile_model = kit.api("torch._export.aot_compile")
load = kit.api("torch._export.aot_load")
config = kit.api("torch._inductor.config")
net = torch.nn.Sequential(
    torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(3136, 8)
)
net, x = net.eval(), torch.randn(1, 3, 16, 16)
for freezing in (False, True):
    torch._dynamo.reset()
    with torch.no_grad(), config.patch(freezing=freezing):
        library = Path(compile_model(net, (x,)))
        out = load(str(library), "cpu")(x)
        kit.same(f"library and eager, freezing={freezing}", out, net(x), 1e-4)
    calls = sum(path.read_text().count("mkldnn") for path in library.parent.glob("*.cpp"))
    kit.fact(f"oneDNN is called, freezing={freezing}", calls > 0)

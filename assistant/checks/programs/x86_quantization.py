"""The x86 quantization engine: the default on x86, and faster than fbgemm on convolutions."""

import copy
import warnings

import kit
import torch

warnings.simplefilter("ignore")  # this API is deprecated
kit.need("x86" in torch.backends.quantized.supported_engines, "x86 engine", "this build has none")
fx = kit.api("torch.ao.quantization.quantize_fx")
mapping = kit.api("torch.ao.quantization.get_default_qconfig_mapping")
kit.fact("default engine", torch.backends.quantized.engine)

layers = [layer for c in ((3, 32), (32, 64), (64, 64)) for layer in (torch.nn.Conv2d(*c, 3), torch.nn.ReLU())]
net, x = torch.nn.Sequential(*layers).eval(), torch.randn(4, 3, 56, 56)


def quantized(engine: str) -> torch.nn.Module:
    """The network in int8, prepared for an engine."""
    torch.backends.quantized.engine = engine
    prepared = fx.prepare_fx(copy.deepcopy(net), mapping(engine), x)
    prepared(x)
    converted: torch.nn.Module = fx.convert_fx(prepared)
    return converted


def run(model: torch.nn.Module, engine: str) -> torch.Tensor:
    torch.backends.quantized.engine = engine
    with torch.no_grad():
        out: torch.Tensor = model(x)
    return out


fbgemm, x86 = quantized("fbgemm"), quantized("x86")
limit = 0.1 * float(net(x).abs().max())  # eight bits
kit.same("int8 on x86 and float", run(x86, "x86"), net(x), limit)
kit.same("int8 on fbgemm and float", run(fbgemm, "fbgemm"), net(x), limit)
kit.interleaved("fbgemm over x86", lambda: run(fbgemm, "fbgemm"), lambda: run(x86, "x86"))

"""Inductor fuses a concatenation and what makes its inputs into one function."""

import re

import kit
import torch

kit.compiler()
generated = kit.api("torch._inductor.utils.run_and_get_code")
inputs = [torch.randn(256, 256) for _ in range(4)]


def join(*parts: torch.Tensor) -> torch.Tensor:
    return torch.cat([part.sin() * scale for scale, part in enumerate(parts, 1)], 1) + 1


compiled = torch.compile(join)
out, sources = generated(compiled, *inputs)
code = "\n".join(sources)
kit.same("compiled and eager", out, join(*inputs), 1e-4)
kit.fact("C++ functions", len(set(re.findall(r"(cpp_fused\w*) = async_compile", code))))
kit.fact("calls of aten.cat", len(re.findall(r"= torch\.ops\.aten\.cat|aten\.cat\.(?:default|out)\(", code)))
kit.interleaved("eager over compiled", lambda: join(*inputs), lambda: compiled(*inputs))

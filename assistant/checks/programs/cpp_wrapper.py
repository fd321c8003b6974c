"""cpp_wrapper: the calls between kernels are in C++ too, which speeds up a chain of tiny operations."""

import kit
import torch

kit.compiler()
x, weight = torch.randn(4, 16), torch.randn(16, 16)


def chain(a: torch.Tensor) -> torch.Tensor:
    for _ in range(6):
        a = torch.relu(a @ weight) * 0.5
    return a


plain = torch.compile(chain)
wrapped = torch.compile(chain, options={"cpp_wrapper": True})
generated = kit.api("torch._inductor.utils.run_and_get_code")
out, sources = generated(wrapped, x)
kit.same("with cpp_wrapper and eager", out, chain(x), 1e-3)
kit.same("without and eager", plain(x), chain(x), 1e-3)
kit.fact("the calls are written in C++", any("inductor_entry_impl" in source for source in sources))
kit.interleaved("Python wrapper over C++ wrapper", lambda: plain(x), lambda: wrapped(x), repeats=9)

"""On a CPU, TorchInductor writes C++ with vector types and OpenMP threads."""

import kit
import torch

kit.compiler()
generated = kit.api("torch._inductor.utils.run_and_get_code")
torch.set_num_threads(2)  # with one thread there would be no parallel loop to see
x = torch.randn(1024, 512)
out, sources = generated(torch.compile(lambda a: torch.relu(a * 2 + 1).tanh()), x)
code = "\n".join(sources)
kit.same("compiled and eager", out, torch.relu(x * 2 + 1).tanh(), 1e-4)
kit.fact("a fused C++ kernel", "cpp_fused" in code)
kit.fact("vector types (at::vec)", "at::vec::Vectorized" in code)
kit.fact("OpenMP threads", "#pragma omp" in code)

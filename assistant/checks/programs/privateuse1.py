"""PrivateUse1: a device of one's own gets a name, a module, tensor methods and operators."""

import types

import kit
import torch

rename = kit.api("torch.utils.rename_privateuse1_backend")
generate = kit.api("torch.utils.generate_methods_for_privateuse1_backend")
rename("trial")
kit.fact("type of torch.device('trial:0')", torch.device("trial:0").type)

module = types.ModuleType("trial")
for name, value in (("is_available", True), ("device_count", 1), ("current_device", 0)):
    setattr(module, name, lambda value=value: value)
torch._register_device_module("trial", module)
generate()
kit.fact("module torch.trial", torch.get_device_module("trial").device_count() == 1)
kit.fact("tensors have is_trial", hasattr(torch.Tensor, "is_trial"))

made: list[list[int]] = []
library = torch.library.Library("aten", "IMPL")


def empty(size: list[int], **options: object) -> torch.Tensor:
    made.append(size)
    return torch.zeros(size)  # a real backend would allocate on its device


library.impl("empty.memory_format", empty, "PrivateUse1")
torch.empty(2, 3, device="trial")
kit.fact("torch.empty on the device calls the operator registered for it", made == [[2, 3]])

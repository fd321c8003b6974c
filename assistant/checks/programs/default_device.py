"""torch.set_default_device, and torch.device as a context manager."""

import kit
import torch

kit.api("torch.set_default_device")
with torch.device("meta"):  # a device without memory: there on every machine
    inside = torch.nn.Linear(3, 3)
kit.fact("made within the context", inside.weight.device.type)
kit.fact("made after it", torch.empty(1).device.type)

torch.set_default_device("meta")
kit.fact("made under set_default_device", torch.empty(1).device.type)
kit.fact("a device that is named wins", torch.empty(1, device="cpu").device.type)
torch.set_default_device("cpu")

"""torch.load reads a file of safetensors, which it knows by its name."""

import importlib.util
import json
import struct
from pathlib import Path

import kit
import torch

kit.need(importlib.util.find_spec("safetensors"), "safetensors", "torch.load imports it to read such a file")
# Written by hand, by the format's definition: a file that a library wrote might only suit its writer.
numbers = (1.0, 2.5, -3.0, 4.0)
header = json.dumps({"weight": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}).encode()
content = struct.pack("<Q", len(header)) + header + struct.pack("<4f", *numbers)
Path("model.safetensors").write_bytes(content)
Path("model.pt").write_bytes(content)
loaded = torch.load("model.safetensors")
kit.fact("names", ", ".join(loaded))
kit.same("the weight", loaded["weight"], torch.tensor(numbers).reshape(2, 2))
kit.fact(
    "a device as map_location", torch.load("model.safetensors", map_location="cpu")["weight"].device.type
)
kit.fact("the same bytes under another name are refused", kit.refuses(lambda: torch.load("model.pt")))

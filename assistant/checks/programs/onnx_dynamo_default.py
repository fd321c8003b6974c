"""torch.onnx.export: without dynamo= a model goes through torch.export, not through TorchScript."""

import inspect

import kit
import torch

export = kit.api("torch.onnx.export")
kit.fact("default of dynamo", inspect.signature(export).parameters["dynamo"].default)

# The signature alone could mislead, as a body may overrule it: the call tells which exporter was taken.
# Only the new one needs onnxscript and returns an ONNXProgram; the old one returns None.
try:
    result = export(torch.nn.Linear(4, 2), (torch.ones(1, 4),), verbose=False)
except ImportError as error:
    taken = "new" if "onnx" in str(error) else f"unknown: {error}"
else:
    taken = "new" if type(result).__name__ == "ONNXProgram" else "old"
kit.fact("exporter that a call without dynamo= takes", taken)

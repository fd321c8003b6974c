"""The Linux builds of torch are made with CXX11_ABI=1."""

import sys
from pathlib import Path

import kit
import torch

kit.need(sys.platform == "linux", "Linux", "only the Linux builds have the two ABIs")
kit.fact("built with CXX11_ABI=1", torch.compiled_with_cxx11_abi())
library = Path(torch.__file__).with_name("lib") / "libc10.so"
kit.fact("strings of that ABI in its library", library.read_bytes().count(b"__cxx1112basic_string") > 0)
kit.fact("torch", torch.__version__)

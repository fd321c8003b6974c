"""The Linux builds of torch are made with CXX11_ABI=1."""

import sys

import kit
import torch

kit.need(sys.platform == "linux", "Linux", "only the Linux builds have the two ABIs")
kit.fact("built with CXX11_ABI=1", torch.compiled_with_cxx11_abi())
kit.fact("torch", torch.__version__)

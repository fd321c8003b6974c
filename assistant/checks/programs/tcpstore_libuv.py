"""The server of a TCPStore uses libuv unless told otherwise, and serves either way."""

import kit
import torch
from torch.distributed import TCPStore

kit.need(hasattr(TCPStore, "libuvBackend"), "torch 2.4", "this TCPStore does not tell its backend")
for name, options in (("by default", {}), ("with use_libuv=False", {"use_libuv": False})):
    store = TCPStore("127.0.0.1", 0, 1, is_master=True, wait_for_workers=False, **options)
    store.set("key", "value")
    kit.fact(f"libuv {name}", bool(store.libuvBackend))
    kit.fact(f"a value comes back {name}", store.get("key") == b"value")
kit.fact("torch", torch.__version__)

"""torch.hash_tensor: equal tensors have equal hashes, and one changed value changes the hash."""

import kit
import torch

hash_of = kit.api("torch.hash_tensor")
x = torch.randn(64, 64)
changed = x.clone()
changed[5, 7] += 1e-3
whole, rows = hash_of(x), hash_of(x, 1)
kit.fact("dtype", str(whole.dtype))
kit.fact("a copy has the same hash", torch.equal(whole, hash_of(x.clone())))
kit.fact("one changed value changes the hash", not torch.equal(whole, hash_of(changed)))
kit.fact("rows whose hash changed", int((rows != hash_of(changed, 1)).sum()))
# Equal hashes mislead where only the order differs: values are combined without regard to their place.
kit.fact("another order has the same hash", torch.equal(whole, hash_of(x.flip(0))))

"""torch.load with weights_only=True refuses a sparse tensor whose indices lie outside of it."""

import io
import warnings

import kit
import torch


def saved(index: int) -> io.BytesIO:
    """A checkpoint with a sparse tensor of three elements, and one index."""
    buffer = io.BytesIO()
    with torch.sparse.check_sparse_tensor_invariants(False):
        bad = torch.sparse_coo_tensor(torch.tensor([[index]]), torch.ones(1), (3,), check_invariants=False)
        torch.save(bad, buffer)
    buffer.seek(0)
    return buffer


# The setting that checks everywhere would refuse it as well, so that it is turned off, and seen to be off.
torch.sparse.check_sparse_tensor_invariants.disable()
warnings.simplefilter("ignore")
kit.fact("checks are off", not torch.sparse.check_sparse_tensor_invariants.is_enabled())
good = torch.load(saved(2), weights_only=True)
kit.same("a sound tensor loads", good.to_dense(), torch.tensor([0.0, 0.0, 1.0]))
refused = kit.refuses(lambda: torch.load(saved(100), weights_only=True), RuntimeError)
kit.fact("an index outside is refused", refused)

"""torch.cholesky and torch.qr: the names are there, and a call raises an error that names the successor."""

from collections.abc import Callable

import kit
import torch


def told(call: Callable[[], object]) -> str:
    """The error of a call. hasattr would mislead: the names of what is removed still exist."""
    try:
        call()
    except RuntimeError as error:
        return str(error)
    return ""


a = torch.randn(4, 3)
spd = a.T @ a + torch.eye(3)
kit.fact("torch.cholesky is refused", "is now removed" in told(lambda: torch.cholesky(spd)))
kit.fact("Tensor.cholesky is refused", "is now removed" in told(lambda: spd.cholesky()))
kit.fact("torch.qr is refused", "is now removed" in told(lambda: torch.qr(a)))
kit.fact("Tensor.qr is refused", "is now removed" in told(lambda: a.qr()))
lower = torch.linalg.cholesky(spd)
kit.same("torch.linalg.cholesky", lower @ lower.T, spd, 1e-5)
q, r = torch.linalg.qr(a, mode="reduced")
kit.same("torch.linalg.qr", q @ r, a, 1e-5)

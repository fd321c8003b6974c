"""torch.linalg.polar: a matrix is the product of one with orthonormal columns and a semidefinite one."""

import kit
import torch

polar = kit.api("torch.linalg.polar")
root_of = kit.api("torch.linalg.matrix_sqrth")
a = torch.randn(6, 4, dtype=torch.float64, requires_grad=True)
u, h = polar(a)
kit.same("U @ H and the matrix", u @ h, a, 1e-10)
kit.same("columns of U are orthonormal", u.mT @ u, torch.eye(4), 1e-10)
# The product alone would mislead: Q @ R has it too. H has to be symmetric, and nowhere negative.
kit.same("H is symmetric", h, h.mT, 1e-10)
kit.fact("least eigenvalue of H", round(torch.linalg.eigvalsh(h.detach()).min().item(), 3))
spd = (a.mT @ a).detach()
kit.same("matrix_sqrth squared", root_of(spd) @ root_of(spd), spd, 1e-10)
kit.same("matrix_sqrth of A^T A, and H", root_of(spd), h, 1e-10)
kit.fact("gradients are right", torch.autograd.gradcheck(lambda x: polar(x)[1], a))
kit.fact("a wide matrix is refused", kit.refuses(lambda: polar(torch.ones(2, 3)), RuntimeError))

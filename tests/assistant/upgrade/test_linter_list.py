"""The symbols that the linter TorchFix lists as deprecated are all found.

The names are from https://github.com/meta-pytorch/torchfix, torchfix/deprecated_symbols.yaml.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.upgrade.report import upgrade_report

LISTED = """
torch.solve torch.qr torch.symeig torch.chain_matmul torch.cholesky torch.ger torch.lu_solve torch.norm
torch.range torch.svd torch.triangular_solve torch.lu torch.matrix_rank torch.lstsq
torch.nn.UpsamplingNearest2d torch.nn.UpsamplingBilinear2d torch.testing.assert_allclose
torch.nn.utils.weight_norm torch.utils._pytree._register_pytree_node torch.backends.cuda.sdp_kernel
torch.cuda.amp.autocast torch.cuda.amp.custom_fwd torch.cuda.amp.custom_bwd torch.cpu.amp.autocast
functorch.vmap functorch.grad functorch.vjp functorch.jvp functorch.jacrev functorch.jacfwd functorch.hessian
functorch.functionalize
""".split()


@pytest.mark.long
def test_all_of_them_are_found(tmp_path: Path) -> None:
    path = tmp_path / "listed.py"
    path.write_text("\n".join(["import torch, functorch", *(f"{name}(x)" for name in LISTED)]), "utf-8")
    report = upgrade_report(path, older="1.7", newer="2.14")
    found = {
        (each.symbol, each.place.line)
        for each in report.findings
        if each.kind in ("breaks", "deprecated") and each.certainty != "name"
    }
    missed = [name for line, name in enumerate(LISTED, 2) if (name, line) not in found]
    assert not missed

"""Changes that only some uses of a name are affected by: which of them are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.assistant.upgrade.projects import project, report_on

CHECKPOINT = "torch.utils.checkpoint.checkpoint(use_reentrant=)"
#: Code, and symbol and certainty of what is told of it.
CASES = {
    "an argument that should be passed": (
        "torch.utils.checkpoint.checkpoint(f, x)",
        {(CHECKPOINT, "sure")},
    ),
    "it is passed": ("torch.utils.checkpoint.checkpoint(f, x, use_reentrant=False)", set()),
    "it may be passed": ("torch.utils.checkpoint.checkpoint(f, x, **more)", {(CHECKPOINT, "likely")}),
    "it is not called": ("from torch.utils.checkpoint import checkpoint", set()),
    "it is passed by position": (
        "torch.utils.checkpoint.checkpoint_sequential(layers, 2, x, False)",
        set(),
    ),
    "an import of what is affected in a case": (
        "from torch.ao.quantization.backend_config import BackendPatternConfig",
        set(),
    ),
    "a safe load": ("torch.load(path, weights_only=True)", set()),
    "a default that another argument replaces": (
        "torch.distributed.init_process_group('nccl')",
        {("torch.distributed.init_process_group(backend='nccl')", "name")},
    ),
    "with that argument": ("torch.distributed.init_process_group('nccl', timeout=minutes)", set()),
    "another value by position": ("torch.distributed.init_process_group('gloo')", set()),
    "a mask": (
        "torch.nn.functional.scaled_dot_product_attention(q, k, v, mask)",
        {("torch.nn.functional.scaled_dot_product_attention(attn_mask=)", "name")},
    ),
    "no mask": ("torch.nn.functional.scaled_dot_product_attention(q, k, v)", set()),
    "None for a mask": ("torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=None)", set()),
    "too many by position": (
        "torch.onnx.utils.export(model, args, path, True)",
        {("torch.onnx.export(3=)", "sure")},
    ),
    "as many as may be": ("torch.onnx.export(model, args, path)", set()),
    "a class is told once": (
        "scaler = torch.cuda.amp.GradScaler()\nscaler.scale(loss).backward()\nscaler.step(optimizer)",
        {("torch.cuda.amp.GradScaler", "sure")},
    ),
    "a class that is derived from": (
        "class Mine(torch.cuda.amp.GradScaler):\n    def scale(self, x):\n        return super().scale(x)",
        {("torch.cuda.amp.GradScaler", "sure")},
    ),
    "a branch of a major version": (
        "if TORCH_MAJOR == 1 and TORCH_MINOR < 8:\n    from torch._six import container_abcs",
        set(),
    ),
    "a method of its own": (
        "class Engine(torch.nn.Module):\n    def zero_grad(self):\n        pass\n\n"
        "    def step(self):\n        self.zero_grad()",
        set(),
    ),
    "an import for type checkers": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from torch._six import inf",
        set(),
    ),
    "after a branch that leaves": (
        "def f():\n    if compare_version('torch', '2.0'):\n        return 1\n    return torch.symeig(x)",
        set(),
    ),
    "after a branch that goes on": (
        "def f():\n    if compare_version('torch', '2.0'):\n        print()\n    return torch.symeig(x)",
        {("torch.symeig", "sure")},
    ),
    "a member that is asked for": (
        "import torch.nn.init as of\nif hasattr(of, 'symeig') and of.symeig:\n    pass\n"
        "if hasattr(torch.linalg, 'eigh'):\n    pass\nelse:\n    torch.linalg.symeig(x)\n"
        "if hasattr(owner, 'symeig'):\n    pass\nelse:\n    torch.symeig(x)",
        set(),
    ),
    "another member that is asked for": (
        "if hasattr(owner, 'eigh'):\n    torch.symeig(x)",
        {("torch.symeig", "sure")},
    ),
    "a container that functions of torch take": (
        "def f(container):\n    return torch.gather(container, 0, index).names",
        set(),
    ),
    "a tensor that they take": (
        "torch.gather(torch.ones(3), 0, index).cholesky()",
        {("torch.Tensor.cholesky", "sure")},
    ),
    "a choice by name": (
        "f = torch.symeig if METHOD == 'torch.symeig' else torch.linalg.eigh",
        set(),
    ),
    "a name that is looked for in a module": (
        "if 'symeig' in dir(torch):\n    torch.symeig(x)",
        set(),
    ),
    "a method that is overridden": (
        "class Mine(torch.optim.lr_scheduler.LRScheduler):\n    def print_lr(self):\n        pass",
        {("torch.optim.lr_scheduler.LRScheduler.print_lr", "name")},
    ),
    "a variable under both of its names": (
        "x = 'NCCL_BLOCKING_WAIT'\nif new:\n    x = 'TORCH_NCCL_BLOCKING_WAIT'",
        set(),
    ),
    "a variable under its old name": ("x = 'NCCL_BLOCKING_WAIT'", {("NCCL_BLOCKING_WAIT", "likely")}),
    "both spellings of an option": ("parser.add_argument('--local_rank', '--local-rank')", set()),
    "one spelling of an option": ("parser.add_argument('--local_rank')", {("--local_rank", "name")}),
    "an argument of groups of another library": ("frame.groupby('a').get_group('b')", set()),
    "a method of storages that tensors have too": ("buffer.data.resize_(3)", set()),
}


@pytest.mark.parametrize(("code", "told"), CASES.values(), ids=CASES)
def test_what_is_told(tmp_path: Path, code: str, told: set[tuple[str, str]]) -> None:
    project(tmp_path, {"a.py": f"import torch\n\n{code}\n"})
    findings = report_on(tmp_path, "1.13", "2.7").findings
    assert [(each.symbol, each.certainty) for each in findings] == sorted(told)


def test_a_name_has_its_own_replacement(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import torch\n\ntorch.cuda.amp.GradScaler()\n"})
    (finding,) = report_on(tmp_path, "2.0", "2.13").findings
    assert finding.replacement == ("torch.amp.GradScaler",)

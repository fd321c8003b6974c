"""Statuses that changed, and what is new and useful: told where the syntax shows it, and nowhere else."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from assistant.upgrade import flow
from assistant.upgrade.finding import Finding
from assistant.upgrade.uses import read_code
from corpus.news import load_news
from tests.assistant.upgrade.projects import project, report_on
from tests.rows import each_row

#: Section and code: what does by hand what the section tells of; the last line that is not blank is found.
BY_HAND = {
    "sdpa": """
        att = (q @ k.transpose(-2, -1)) * scale
        att = torch.nn.functional.softmax(att, dim=-1)
        att = self.dropout(att)
        y = att @ v""",
    "torch-func": """
        for i in range(3):
            rows.append(torch.autograd.grad(y[i], x, retain_graph=True)[0])""",
    "mmap-assign": """
        net.to_empty(device="cpu")
        net.load_state_dict(torch.load(path, weights_only=True))""",
    "dcp-state-dict-helpers": """
        state = net.module.state_dict() if hasattr(net, "module") else net.state_dict()""",
    "get-default-device": "device = torch.tensor([]).device",
    "nn-attention-bias": """
        mask = torch.ones(4, 4).tril()
        torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)""",
    "rms-norm": """
        variance = x.pow(2).mean(-1, keepdim=True)
        x = x * torch.rsqrt(variance + eps)""",
    "out-of-memory-error": """
        try:
            run()
        except RuntimeError as error:
            if "out of memory" in str(error):
                torch.cuda.empty_cache()""",
    "pad-sequence-left": """
        from torch.nn.utils.rnn import pad_sequence
        x = pad_sequence([each.flip(0) for each in parts], batch_first=True).flip(1)""",
    "selective-checkpoint": """
        from torch.utils.checkpoint import checkpoint as again
        for layer in layers:
            x = again(layer, x, use_reentrant=False)""",
    "regional-compilation": """
        for number, block in enumerate(blocks):
            blocks[number] = torch.compile(block)""",
    "adafactor": "class Adafactor(torch.optim.Optimizer): x = 1",
    "accelerator": "device = torch.device('cuda:0' if torch.cuda.is_available() and not cpu else 'cpu')",
    "loss-weight": """
        import torch.nn.functional as F
        loss = F.mse_loss(x, y, reduction="none")
        loss = weights * loss""",
    "group-ranks": """
        import torch.distributed as dist
        dist.broadcast(x, src=dist.get_global_rank(group, 0), group=group)""",
    "muon": "class Muon(torch.optim.Optimizer): x = 1",
    "recompile-limit": "torch._dynamo.config.cache_size_limit = 64",
    "linear-cross-entropy": """
        logits = torch.nn.functional.linear(x, head)
        torch.nn.functional.cross_entropy(logits, y)""",
}
#: What looks alike and is none.
NOT_BY_HAND = {
    "layer normalization": """
        u = x.mean(-1, keepdim=True)
        s = (x - u).pow(2).mean(-1, keepdim=True)
        x = (x - u) / torch.sqrt(s + eps)""",
    "layer normalization of one name": """
        x = x - x.mean(-1, keepdim=True)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)""",
    "normalization over other dimensions": "x = x * torch.rsqrt(x.pow(2).mean(dim=(2, 3)) + eps)",
    "of another name": "x = y * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)",
    "softmax times values without keys": "y = torch.softmax(x, dim=-1) @ v",
    "softmax in one branch only": """
        w = q @ k.transpose(-2, -1)
        if soft:
            w = torch.softmax(w, dim=-1)
        y = w @ v""",
    "one is chosen in the other branch": """
        if soft:
            w = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
        else:
            y = w @ v""",
    "checkpoint of the same function in a loop": """
        for batch in loader:
            x = torch.utils.checkpoint.checkpoint(model, x)""",
    "a policy is given": """
        for layer in layers:
            x = torch.utils.checkpoint.checkpoint(layer, x, context_fn=policy)""",
    "no loop around it": "torch.compile(block)",
    "another compile": """
        import re
        for each in patterns:
            re.compile(each)""",
    "gradients of a loss in a loop": """
        for each in losses:
            torch.autograd.grad(loss, x)""",
    "another condition": "device = 'cuda' if use_cuda else 'cpu'",
    "a device that is no choice": "n = 8 if torch.cuda.is_available() else 0",
    "another error": "found = 'out of range' in str(error)",
    "a loss of the whole": "loss = torch.nn.functional.mse_loss(x, y) * weight",
    "pad_sequence alone": "x = torch.nn.utils.rnn.pad_sequence(parts)",
    "another base": "class Muon(Base): x = 1",
    "assign is given": """
        net.to_empty(device="cpu")
        net.load_state_dict(state, assign=True)""",
    "it is known": """
        if new:
            y = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        else:
            y = torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v""",
}


def written(text: str) -> str:
    """The code of an example as a file: what it does stands in a function."""
    lines = [line[8:] if line.startswith(" " * 8) else line for line in text.strip("\n").split("\n")]
    return "import torch\n\n\ndef f(*args):\n" + "".join(f"    {line}\n" for line in lines)


@each_row(("section", "text"), BY_HAND.items(), ids=BY_HAND)
def test_what_is_done_by_hand(section: str, text: str) -> None:
    found = read_code(written(text)).by_hand
    assert [each.news.section for each in found] == [section]


def test_everything_new_has_an_example() -> None:
    assert {news.section for news in load_news()} == set(BY_HAND)


@each_row("text", NOT_BY_HAND.values(), ids=NOT_BY_HAND)
def test_what_looks_alike(text: str) -> None:
    assert read_code(written(text)).by_hand == ()


def new_in(folder: Path, code: str, older: str, newer: str) -> list[Finding]:
    """The findings that break nothing."""
    report = report_on(project(folder, {"a.py": code}), older, newer)
    return [each for each in report.findings if each.kind in ("status", "new")]


def test_new_between_the_releases_only(tmp_path: Path) -> None:
    code = written(BY_HAND["accelerator"])
    (found,) = new_in(tmp_path, code, "2.5", "2.6")
    assert (found.kind, found.symbol, found.release, found.certainty) == (
        "new",
        "torch.accelerator",
        "2.6",
        "sure",
    )
    assert "PyTorch 2.6 adds torch.accelerator" in found.quote and found.url.startswith("https://")
    assert found.why == "a device is chosen by asking for CUDA alone"
    assert new_in(tmp_path, code, "2.6", "2.8") == [] and new_in(tmp_path, code, "2.3", "2.5") == []


def test_behind_a_check_of_the_version(tmp_path: Path) -> None:
    line = "device = 'cuda' if torch.cuda.is_available() else 'cpu'"
    code = f"import torch\nif torch.__version__ < '2.6':\n    {line}\n"
    assert new_in(tmp_path, code, "2.5", "2.6") == []


def test_a_status_is_told_once_a_file(tmp_path: Path) -> None:
    code = (
        "from torch.distributed.tensor.parallel import parallelize_module, ColwiseParallel\n"
        "parallelize_module(net, mesh, {'a': ColwiseParallel()})\n"
    )
    (found,) = new_in(tmp_path, code, "2.2", "2.8")
    assert (found.kind, found.symbol, found.place.line) == ("status", "torch.distributed.tensor.parallel", 1)
    assert found.why == "Prototype since 2.0 → Beta since 2.3"
    assert found.quote == "Tensor Parallelism is a Beta feature of PyTorch 2.3."
    assert new_in(tmp_path, code, "2.3", "2.8") == []


def test_what_becomes_public_has_a_new_place(tmp_path: Path) -> None:
    code = "from torch.distributed._composable.fsdp import fully_shard\n"
    (found,) = new_in(tmp_path, code, "2.4", "2.6")
    assert found.replacement == ("torch.distributed.fsdp",) and found.why.endswith("public API since 2.6")


def test_they_fail_no_build_and_count(tmp_path: Path) -> None:
    report = report_on(project(tmp_path, {"a.py": written(BY_HAND["rms-norm"])}), "2.3", "2.4")
    assert report.counts() == {"new": 1} and not report.failing("deprecated")


def hostile(loops: int) -> str:
    """A deep call, and one variable that is assigned in each of many loops."""
    deep = "x = " + "checkpoint(" * 90 + "y" + ")" * 90
    many = "\n".join(
        f"for a{n} in a:\n    w = w @ softmax(w, dim=-1)\n    x = x * rsqrt(x + 1)" for n in range(loops)
    )
    head = "import torch\nfrom torch import softmax, rsqrt\nfrom torch.utils.checkpoint import checkpoint\n"
    return f"{head}{deep}\n{many}\n"


def test_the_cost_of_hostile_code_grows_with_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: with each of 2,000 loops looking at all assignments it took 15 seconds."""
    looked: Counter[int] = Counter()
    position = flow._position

    def counted(node: ast.AST) -> flow.Position:
        looked[loops] += 1
        return position(node)

    monkeypatch.setattr(flow, "_position", counted)
    for loops in (50, 200):
        assert read_code(hostile(loops)).by_hand == ()
    assert looked[50] and looked[200] < 8 * looked[50]

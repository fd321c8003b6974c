"""Fixes: code before and after, each stable when made twice, with the layout kept."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.api_usage.lookup import Deprecation, FoundName, Lookup
from assistant.api_usage.names import ApiName
from assistant.upgrade import report as report_module
from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.fixers import MOVED
from assistant.upgrade.fixes import fixes_of, write_fixes
from assistant.upgrade.report import upgrade_report
from ingest.errors import TorchnotesError
from tests.assistant.upgrade.projects import project

STEP = "from torch.optim.lr_scheduler import StepLR\n"
DIST = "import torch.distributed as dist\n"
TORCH = "import torch\n"

CASES = {
    "weights_only": (TORCH + "torch.load(path)", TORCH + "torch.load(path, weights_only=True)"),
    "after a keyword": (
        TORCH + 'torch.load(path, map_location="cpu")',
        TORCH + 'torch.load(path, map_location="cpu", weights_only=True)',
    ),
    "in brackets": (TORCH + "torch.load((path))", TORCH + "torch.load((path), weights_only=True)"),
    "a call in a call": (
        TORCH + "torch.load(open(path))",
        TORCH + "torch.load(open(path), weights_only=True)",
    ),
    "on lines of their own": (
        TORCH + "torch.load(\n    path,\n    map_location=device,\n)",
        TORCH + "torch.load(\n    path,\n    map_location=device,\n    weights_only=True,\n)",
    ),
    "without a last comma": (
        TORCH + "torch.load(\n    path\n)",
        TORCH + "torch.load(\n    path,\n    weights_only=True\n)",
    ),
    "before a comment": (
        TORCH + "torch.load(\n    path,  # ours\n)",
        TORCH + "torch.load(\n    path, weights_only=True,  # ours\n)",
    ),
    "a bracket after a comment": (TORCH + "torch.load((path  # ours\n))", None),
    "arguments of unknown names": (TORCH + "torch.load(path, **given)", None),
    "a guard": (TORCH + 'if torch.__version__ < "2.6":\n    torch.load(path)', None),
    "columns count characters": (
        TORCH + "größe = torch.load('ä.pt'); b = torch.load('b.pt')",
        TORCH + "größe = torch.load('ä.pt', weights_only=True); b = torch.load('b.pt', weights_only=True)",
    ),
    "verbose": (STEP + "StepLR(o, 30, verbose=True)", STEP + "StepLR(o, 30)"),
    "verbose in the middle": (
        STEP + "StepLR(o, verbose=True, step_size=3)",
        STEP + "StepLR(o, step_size=3)",
    ),
    "verbose first": (STEP + "StepLR(verbose=True, optimizer=o)", STEP + "StepLR(optimizer=o)"),
    "verbose after brackets": (STEP + "StepLR(o, (3), verbose=True)", STEP + "StepLR(o, (3))"),
    "verbose of a call": (STEP + "StepLR(o, 3, verbose=rank() == 0)", None),
    "strict": (
        "from torch.export import export\nexport(model, args)",
        "from torch.export import export\nexport(model, args, strict=True)",
    ),
    "export_for_training": (
        TORCH + "torch.export.export_for_training(model, args)",
        TORCH + "torch.export.export(model, args, strict=True)",
    ),
    "a collective": (DIST + "dist.all_gather_into_tensor(a, b)", DIST + "dist.all_gather_single(a, b)"),
    "an import": (
        "from torch.distributed import reduce_scatter_tensor, barrier\nreduce_scatter_tensor(a, b)",
        "from torch.distributed import reduce_scatter_single as reduce_scatter_tensor, barrier\n"
        "reduce_scatter_tensor(a, b)",
    ),
    "cholesky": ("import torch as th\nth.cholesky(x)", "import torch as th\nth.linalg.cholesky(x)"),
    "cholesky, upper": (TORCH + "torch.cholesky(x, upper=True)", None),
    "a setting": (
        "import torch._inductor.config as c\nc.aot_inductor.embed_cubin = True",
        "import torch._inductor.config as c\nc.aot_inductor.embed_kernel_binary = True",
    ),
    "autocast": (
        TORCH + "with torch.cuda.amp.autocast():\n    step()",
        TORCH + 'with torch.amp.autocast("cuda"):\n    step()',
    ),
    "autocast, enabled": (
        TORCH + "torch.cuda.amp.autocast(True, dtype=d)",
        TORCH + 'torch.amp.autocast("cuda", enabled=True, dtype=d)',
    ),
    "autocast on a CPU": (
        TORCH + "torch.cpu.amp.autocast(dtype=d)",
        TORCH + 'torch.amp.autocast("cpu", dtype=d)',
    ),
    "autocast, by name": (
        "from torch.cuda.amp import GradScaler, autocast\n\nautocast(dtype=d)\nGradScaler(2.0)",
        'from torch.amp import GradScaler, autocast\n\nautocast("cuda", dtype=d)\nGradScaler("cuda", 2.0)',
    ),
    "autocast, on lines of its own": (
        TORCH + "torch.cuda.amp.autocast(\n    True,\n    dtype=d,\n)",
        TORCH + 'torch.amp.autocast(\n    "cuda",\n    enabled=True,\n    dtype=d,\n)',
    ),
    "autocast, imported twice": (
        "def f():\n    from torch.cuda.amp import autocast\n    autocast()\n\n\n"
        "def g():\n    from torch.cuda.amp import autocast\n    autocast()",
        'def f():\n    from torch.amp import autocast\n    autocast("cuda")\n\n\n'
        'def g():\n    from torch.amp import autocast\n    autocast("cuda")',
    ),
    "autocast, imported twice, once with what stays": (
        "def f():\n    from torch.cuda.amp import autocast, common\n    autocast()\n\n\n"
        "def g():\n    from torch.cuda.amp import autocast\n    autocast()",
        None,
    ),
    "a decorator": (
        TORCH + "@torch.cuda.amp.custom_fwd\ndef forward(ctx, x): ...",
        TORCH + '@torch.amp.custom_fwd(device_type="cuda")\ndef forward(ctx, x): ...',
    ),
    "decorators, by name": (
        "from torch.cuda.amp import custom_bwd, custom_fwd, autocast\n\n"
        "@custom_fwd(cast_inputs=torch.half)  # ours\ndef f(ctx): ...\n"
        "@custom_bwd\ndef b(ctx): ...\nautocast()",
        "from torch.amp import custom_bwd, custom_fwd, autocast\n\n"
        '@custom_fwd(cast_inputs=torch.half, device_type="cuda")  # ours\ndef f(ctx): ...\n'
        '@custom_bwd(device_type="cuda")\ndef b(ctx): ...\nautocast("cuda")',
    ),
    "a decorator that is handed on": (
        TORCH + "wrap = partial(torch.cuda.amp.custom_fwd, cast_inputs=d)",
        TORCH + 'wrap = partial(torch.amp.custom_fwd(device_type="cuda"), cast_inputs=d)',
    ),
    "a decorator with arguments of unknown names": (TORCH + "torch.cuda.amp.custom_fwd(f, **given)", None),
    "types of autocast": (
        TORCH + "x = y.to(torch.get_autocast_gpu_dtype())\ntorch.set_autocast_cpu_dtype(x.dtype)",
        TORCH + 'x = y.to(torch.get_autocast_dtype("cuda"))\ntorch.set_autocast_dtype("cpu", x.dtype)',
    ),
    "a type of autocast, by name": (
        "from torch import get_autocast_gpu_dtype\nget_autocast_gpu_dtype()",
        None,
    ),
    "what a build has": (
        "import torch as th\nassert th.has_cuda and not th.has_mps  # both",
        "import torch as th\nassert th.backends.cuda.is_built() and not th.backends.mps.is_built()  # both",
    ),
    "what a build has, set by a test": (TORCH + "torch.has_cuda = False", None),
    "a node of trees": (
        TORCH + "torch.utils._pytree._register_pytree_node(A, f, g)",
        TORCH + "torch.utils._pytree.register_pytree_node(A, f, g)",
    ),
    "a node of trees with more arguments": (
        TORCH + "torch.utils._pytree._register_pytree_node(A, f, g, to_str_fn)",
        None,
    ),
    "a fake kernel": (
        TORCH + '@torch.library.impl_abstract("mine::op")\ndef op(x): ...',
        TORCH + '@torch.library.register_fake("mine::op")\ndef op(x): ...',
    ),
    "whether it compiles": (
        TORCH + "torch._utils.is_compiling()",
        TORCH + "torch.compiler.is_compiling()",
    ),
    "autocast, imported and handed on": ("from torch.cuda.amp import autocast\nuse(autocast)", None),
}


@pytest.fixture(autouse=True)
def _marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What torch 2.13 marks as deprecated, without starting it."""
    said = (Deprecation("mark", "Please use the one of torch.amp."),)
    found = tuple(FoundName(ApiName(n, n, ()), True, "class", n, "", said, (), ()) for n in MOVED)
    monkeypatch.setattr(report_module, "ask_torch", lambda _: Lookup("2.13.0", found))


def report_on(path: Path) -> UpgradeReport:
    return upgrade_report(path, older="2.3", newer="2.14")


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_before_and_after(tmp_path: Path, before: str, after: str | None) -> None:
    path = project(tmp_path, {"a.py": before + "\n"}) / "a.py"
    write_fixes(fixes_of(report_on(path)))
    assert path.read_text(encoding="utf-8") == (before if after is None else after) + "\n"
    assert fixes_of(report_on(path)) == []


def test_a_patch_can_be_applied(tmp_path: Path) -> None:
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git")
    before, after = CASES["on lines of their own"]
    project(tmp_path, {"src/a.py": f"{before}\n", "src/b.py": before})  # one ends without a line end
    fixes = fixes_of(report_on(tmp_path))
    patch = "".join(fix.patch for fix in fixes).replace(f"a{tmp_path}", "a").replace(f"b{tmp_path}", "b")
    subprocess.run([git, "apply", "-"], input=patch, cwd=tmp_path, encoding="utf-8", check=True)
    assert (tmp_path / "src/a.py").read_text(encoding="utf-8") == f"{after}\n"
    assert (tmp_path / "src/b.py").read_text(encoding="utf-8") == after


def test_encoding_line_ends_and_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes("# coding: latin-1\r\nimport torch\r\ntorch.load('größe')\r\n".encode("latin-1"))
    path.chmod(0o751)
    write_fixes(fixes_of(report_on(tmp_path)))
    expected = "# coding: latin-1\r\nimport torch\r\ntorch.load('größe', weights_only=True)\r\n"
    assert path.read_bytes() == expected.encode("latin-1")
    assert stat.S_IMODE(path.stat().st_mode) == 0o751 or os.name != "posix"


@pytest.mark.parametrize("encoding", ["unicode_escape", "raw_unicode_escape", "utf-7"])
def test_a_file_that_its_encoding_would_write_otherwise_is_left_alone(tmp_path: Path, encoding: str) -> None:
    given = f"# coding: {encoding}\nimport torch\ntorch.load('x')  # +AGE- \\x0a\\u0061\n".encode()
    (tmp_path / "a.py").write_bytes(given)
    fixes = fixes_of(report_on(tmp_path))
    write_fixes(fixes)
    assert (tmp_path / "a.py").read_bytes() == given


def test_mixed_line_ends_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"import torch\r\ntorch.load(path)\n")
    assert fixes_of(report_on(tmp_path)) == []


def test_a_file_that_has_changed_is_not_written(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "import torch\ntorch.load(path)\n"})
    fixes = fixes_of(report_on(tmp_path))
    (tmp_path / "a.py").write_text("import torch\n", encoding="utf-8")
    with pytest.raises(TorchnotesError, match="has changed meanwhile"):
        write_fixes(fixes)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == "import torch\n"


@pytest.mark.skipif(os.name != "posix", reason="no such names elsewhere")
def test_a_name_does_not_become_a_patch_of_another_file(tmp_path: Path) -> None:
    hostile = "x\n--- a/victim.py\n+++ b/victim.py\n@@ -1 +1 @@\n-import os\n+import evil\n/a.py"
    project(tmp_path, {hostile: TORCH + "torch.load(path)\n", "victim.py": "import os\n"})
    (fix,) = fixes_of(upgrade_report(tmp_path, older="2.3", newer="2.8", ask_installed=False))
    assert [line[:5] for line in fix.patch.split("\n") if line[:4] in ("--- ", "+++ ")] == ['--- "', '+++ "']
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git")
    subprocess.run([git, "apply"], input=fix.patch.encode(), cwd=tmp_path, check=True)
    assert (tmp_path / "victim.py").read_text() == "import os\n"
    assert "weights_only=True" in (tmp_path / hostile).read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_a_name_that_is_not_utf8_neither_fails_nor_leads_to_a_link(tmp_path: Path) -> None:
    code, outside = TORCH + "torch.load(path)\n", tmp_path / "outside.py"
    outside.write_text(code)
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / os.fsdecode(b"\xff.py")).write_text(code)
    assert fixes_of(upgrade_report(tree, older="2.3", newer="2.8", ask_installed=False)) == []
    (tree / "\\xff.py").symlink_to(outside)
    fixes = fixes_of(upgrade_report(tree, older="2.3", newer="2.8", ask_installed=False))
    write_fixes(fixes)
    assert fixes == [] and (tree / "\\xff.py").is_symlink() and outside.read_text() == code

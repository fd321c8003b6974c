"""What the installed torch tells: missing names apart from what it only has at run time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.api_usage.lookup import Deprecation, FoundName, Lookup
from assistant.api_usage.names import ApiName
from assistant.upgrade.reading import Part
from assistant.upgrade.search import Search, proved
from assistant.upgrade.source_files import SourceFile
from assistant.upgrade.torch_marks import TorchMark, ask_torch, marks_in, names_to_ask
from assistant.upgrade.uses import read_code
from ingest.release import Release


def missing(name: str, reached: str) -> FoundName:
    return FoundName(ApiName(name, name, ()), False, "", reached, "", (), (), ("torch.near",))


def test_names_to_ask() -> None:
    code = read_code(
        "import torch\nfrom torch import nn\nlayer = nn.Linear(2, 3)\nlayer.weight.data\nx.symeig()\n"
        "torch.symeig(y)\ntorch._C.thing\ntorch.mine = 1\ntorch.mine\n"
    )
    assert names_to_ask(code.uses) == ("torch.nn", "torch.nn.Linear", "torch.symeig")


def test_a_name_that_no_file_can_have_is_not_asked() -> None:
    code = read_code(f"import torch\ntorch.symeig(x)\ntorch.{'a' * 300}\n")
    assert names_to_ask(code.uses) == ("torch.symeig",)


def test_what_is_missing() -> None:
    names = (
        missing("torch.symeig", "torch"),
        missing("torch._six.inf", "torch"),
        missing("torch.utils.tensorboard.SummaryWriter", "torch.utils"),  # there, but lacks another package
        missing("torch.nn.utils.weight_norm.WeightNorm", "torch.nn.utils.weight_norm"),  # of a hidden module
        missing("torch.distributed.ProcessGroupNCCL.Options", "torch.distributed"),  # not in builds for a CPU
        missing("torch.npu.current_device", "torch"),  # of a backend outside of torch
        missing("torch.distributed.get_rank.assert_called", "torch.distributed.get_rank"),  # of a mock
        missing("torch.xpu.amp.autocast", "torch.xpu"),  # of the extension of Intel
        missing("torch.optim.Optimizer.param_groups", "torch.optim.Optimizer"),  # there once one is made
    )
    marks = marks_in(Lookup("2.13.0", names))
    assert marks.keys() == {"torch.symeig", "torch._six.inf"}
    assert all(mark.kind == "breaks" and mark.missing for mark in marks.values())
    assert marks["torch.symeig"].suggestions == ("torch.near",)


def test_what_is_deprecated() -> None:
    def found(name: str, *said: Deprecation) -> FoundName:
        return FoundName(ApiName(name, name, ()), True, "function", name, "", said, (), ())

    names = (
        found("torch.a", Deprecation("raises", "removed in 2.0")),
        found("torch.b", Deprecation("doc", "torch.b is deprecated.")),
        found("torch.c", Deprecation("module", "its module is deprecated")),
        found("torch.d"),
        found("torch.e", Deprecation("doc", "This function will be deprecated in a future version.")),
    )
    marks = marks_in(Lookup("2.13.0", names))
    assert {name: mark.kind for name, mark in marks.items()} == {"torch.a": "breaks", "torch.b": "deprecated"}


def test_the_notes_silence_torch_about_the_same_use_alone() -> None:
    """Not about another one in its line, nor where they only tell of a case."""
    part = Part(
        SourceFile(Path("a.py"), "a.py", "python"),
        code := "import torch\ntorch.b(torch.a(x))\n",
        read_code(code),
    )
    marks = {name: TorchMark("deprecated", "old") for name in ("torch.a", "torch.b")}
    search = Search(Release(2, 3), Release(2, 8), "en")
    both = list(search.marks(part, marks, "2.7.0", proved([])))
    assert sorted(each.symbol for each in both) == ["torch.a", "torch.b"]
    first, second = both
    assert list(search.marks(part, marks, "2.7.0", proved([first]))) == [second]
    assert list(search.marks(part, marks, "2.7.0", proved([replace(first, certainty="name")]))) == both


def test_an_annotation_that_is_not_evaluated_misses_nothing() -> None:
    code = "import torch\ndef f(x: torch.none):\n    y: torch.none = x\nx: torch.none\n"
    search = Search(Release(2, 3), Release(2, 8), "en")
    marks = {"torch.none": TorchMark("breaks", "torch.none does not exist.", missing=True)}
    for start, lines in (("", [2, 4]), ("from __future__ import annotations\n", [])):
        source = SourceFile(Path("a.py"), "a.py", "python")
        part = Part(source, start + code, read_code(start + code))
        assert [each.place.line for each in search.marks(part, marks, "2.7.0", ())] == lines


@pytest.mark.long
def test_the_torch_that_is_installed() -> None:
    marks = marks_in(ask_torch(["torch.cuda.amp.autocast", "torch.symeig", "torch.nn.Linear"]))
    assert marks["torch.cuda.amp.autocast"].kind == "deprecated"
    assert "torch.symeig" in marks and "torch.nn.Linear" not in marks


@pytest.mark.long
def test_many_missing_names_can_be_asked() -> None:
    names = [f"torch.missing_{number}" for number in range(60)]
    assert marks_in(ask_torch(names)).keys() == set(names)

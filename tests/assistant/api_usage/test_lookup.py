"""Names looked up in the real torch, in one process for all of these tests."""

from __future__ import annotations

import pytest

from assistant.api_usage import lookup
from assistant.api_usage.lookup import FoundName, look_up, near
from assistant.api_usage.names import names_in
from assistant.sandbox.run_limits import Limits
from ingest.errors import TorchnotesError

SOURCE = """
import torch
torch.cuda.amp.autocast(enabled=True, enable=False)
torch.compile(f, mode="x", modus="y")
torch.randn(2, sighed=1)
torch.utils.benchmark.Timer("pass")
torch.onnx.export
torch.compil
torch.flex_attention
torch.version.git_version.upper
torch.ops.mylib.mine
torch.norm
torch.nn
torch.symeig
torch.nowhere.at.all
torch._dynamo.explain(f)(x)
torch.nn.functional.upsample
"""


@pytest.fixture(scope="module")
def found() -> dict[str, FoundName]:
    told = look_up(names_in(SOURCE))
    assert told.torch.startswith("2.")
    return {each.name.name: each for each in told.names}


def test_what_is_there_is_told(found: dict[str, FoundName]) -> None:
    kinds = {name: found[name].kind for name in ("torch.compile", "torch.cuda.amp.autocast", "torch.nn")}
    assert kinds == {"torch.compile": "function", "torch.cuda.amp.autocast": "class", "torch.nn": "module"}
    assert all(each.exists for each in (found["torch.compile"], found["torch.randn"], found["torch.nn"]))
    assert not found["torch.compile"].deprecated


def test_a_missing_name_has_a_hint_only(found: dict[str, FoundName]) -> None:
    typo = found["torch.compil"]
    assert typo.exists is False and typo.kind == "" and typo.near[0] == "torch.compile"
    assert found["torch.flex_attention"].near == ("torch.nn.attention.flex_attention",)
    deep = found["torch.nowhere.at.all"]
    assert deep.exists is False and deep.reached == "torch"


def test_deprecation_has_its_evidence(found: dict[str, FoundName]) -> None:
    (mark,) = found["torch.cuda.amp.autocast"].deprecated
    assert mark.source == "mark" and "torch.cuda.amp.autocast" in mark.words
    (doc,) = found["torch.norm"].deprecated
    assert doc.source == "doc" and doc.words.startswith("torch.norm is deprecated")


def test_a_warning_about_an_argument_is_none_about_the_function(found: dict[str, FoundName]) -> None:
    assert found["torch._dynamo.explain"].deprecated == ()
    (always,) = found["torch.nn.functional.upsample"].deprecated
    assert always.source in ("warns", "doc")


def test_a_function_that_only_raises_is_told(found: dict[str, FoundName]) -> None:
    symeig = found["torch.symeig"]
    if not symeig.exists:
        pytest.skip("this torch has no torch.symeig any more")
    assert symeig.deprecated[0].source == "raises" and "is now removed" in symeig.deprecated[0].words
    assert symeig.removed and symeig.to_dict()["removed"] and not found["torch.norm"].removed


def test_keywords_are_told_only_where_that_is_certain(found: dict[str, FoundName]) -> None:
    assert found["torch.compile"].unknown == ("modus",)
    assert found["torch.cuda.amp.autocast"].unknown == ("enable",)
    assert found["torch.randn"].unknown == ()  # written in C++


def test_modules_that_torch_does_not_bring_are_named(found: dict[str, FoundName]) -> None:
    assert found["torch.utils.benchmark.Timer"].imports == "torch.utils.benchmark"
    assert found["torch.onnx.export"].imports == ""  # torch imports it when it is asked for


def test_what_depends_on_the_program_is_left_open(found: dict[str, FoundName]) -> None:
    assert found["torch.ops.mylib.mine"].exists is None
    text = found["torch.version.git_version.upper"]
    assert text.exists and text.reached.startswith("torch.version")


def test_a_lookup_that_fails_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "_LIMITS", Limits(seconds=0.05))
    with pytest.raises(TorchnotesError, match=r"names cannot be looked up here \(ended after 0.05 s\)"):
        look_up(names_in("import torch\ntorch.abs"))


def test_hints_are_few_and_near() -> None:
    beside = ["compile", "compiler", "complex", "compiled_with", "abs", "_compile"]
    assert near("torch.compil", "torch", beside, []) == ("torch.compile", "torch.compiler", "torch.complex")
    assert near("torch.f.g", "torch", ["abs"], ["torch.a.b.f", "torch.a.f"]) == ("torch.a.f", "torch.a.b.f")
    assert near("torch.zzz", "torch", beside, []) == ()

"""Which feature a heading speaks of."""

from __future__ import annotations

import pytest

from assistant.text.platforms import families, is_platform, versions
from assistant.timeline.heading_parser import bare, is_item, name_in, subjects, untermed
from corpus.glossary import load_glossary
from tests.rows import each_row

GLOSSARY = load_glossary()


def read(title: str) -> dict[str, str]:
    """How a heading speaks of what it names, by id."""
    return {subject.id: subject.aspect for subject in subjects(title, GLOSSARY)}


@each_row(
    ("title", "id_", "aspect"),
    [
        pytest.param("[Prototype] FlexAttention", "flex-attention", "whole", id="alone"),
        pytest.param("(Beta)Inference mode API", "inference-mode", "whole", id="filler-after"),
        pytest.param("[Prototype] Enhanced Intel GPU support", "intel-gpu", "whole", id="filler-around"),
        pytest.param(
            "TorchScript module freezing (Prototype)", "module-freezing", "whole", id="last-of-names"
        ),
        pytest.param("[Beta] TorchData and DataPipes", "datapipes", "whole", id="two-at-once"),
        pytest.param("[Prototype] FSDP2: per-parameter sharding", "fsdp2", "phrase", id="apposition"),
        pytest.param("[Beta] TCPStore uses libuv by default", "tcpstore", "phrase", id="verb"),
        pytest.param("[Beta] TCPStore uses libuv by default", "libuv", "part", id="object"),
        pytest.param("[Beta] Higher-level Python custom operator API", "custom-operator", "phrase", id="end"),
        pytest.param("[Beta] AOTInductor: minifier", "aoti-minifier", "part", id="of-an-apposition"),
        pytest.param("[Beta] AOTInductor freezing for CPU", "aot-inductor", "part", id="inside-a-name"),
        pytest.param("torch.compile config variables renamed", "torch-compile", "part", id="nouns-after"),
        pytest.param("[Beta] torch.compile on Python 3.13", "torch-compile", "part", id="on-python"),
        pytest.param("[Beta] torch.compile on Python 3.13", "torch-compile+python", "whole", id="both"),
        pytest.param("[Prototype] Limited Python 3.11 support", "python 3.11", "whole", id="version"),
        pytest.param("[Prototype] NVIDIA Blackwell and CUDA 12.8", "blackwell", "whole", id="beside-version"),
        pytest.param("[Deprecated] torch.onnx.dynamo_export", "onnx-dynamo-export", "whole", id="deprecated"),
        pytest.param(
            "torch.onnx.dynamo_export is deprecated (#146425)", "onnx-dynamo-export", "whole", id="gone"
        ),
        pytest.param("[原型] FlexAttention", "flex-attention", "whole", id="zh"),
        pytest.param("[Beta] 领域库中的 DataPipes", "datapipes", "whole", id="zh-last"),
        pytest.param("[测试版] 张量并行训练 LLM", "tensor-parallel", "part", id="zh-verb"),
        pytest.param("[Prototype] FSDP2：基于 DTensor 的分片", "fsdp2", "phrase", id="zh-apposition"),
    ],
)
def test_a_heading_speaks_of_a_feature(title: str, id_: str, aspect: str) -> None:
    assert read(title)[id_] == aspect


@each_row("title", ["Beta features", "Stable", "原型功能", "Deprecations", "Overview", ""])
def test_a_group_speaks_of_nothing(title: str) -> None:
    assert read(title) == {}
    assert untermed(title, title) == []


@pytest.mark.parametrize("title", ["[Beta] Faster loops in the backend", "[Beta] Less copying for training"])
def test_common_words_found_no_feature(title: str) -> None:
    assert not any(subject.founds for subject in subjects(title, GLOSSARY))


def test_what_has_no_term_is_called_by_its_title() -> None:
    (found,) = untermed("[Beta] Sparse quuxifier (SQ)", "[Beta] 稀疏 quux 器（SQ）")
    assert (found.id, found.name, found.zh) == ("sparse quuxifier", "Sparse quuxifier", "稀疏 quux 器")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("[Beta] torch.compile(dynamic=True)", "torch.compile(dynamic=True)"),
        ("C++ API (now stable)", "C++ API"),
        ("[CPU] Faster kernels (#1234, #5678)", "[CPU] Faster kernels"),
    ],
)
def test_only_the_status_is_taken_off_a_title(title: str, name: str) -> None:
    assert bare(title) == name


def test_a_name_has_no_parentheses() -> None:
    assert name_in("[Beta] Scaled dot product attention (SDPA)") == "Scaled dot product attention"


def test_an_item_opens_with_its_status() -> None:
    assert is_item("[Beta] SDPA") and not is_item("Beta features") and not is_item("[CPU] SDPA")


def test_platforms_are_told_by_version() -> None:
    text = "CUDA 12.8, Python 3.13t and python 3.9; not pythonic 2 or CUDAGraph"
    assert versions(text) == [("CUDA", "12.8"), ("Python", "3.13t"), ("Python", "3.9")]
    assert families("torch.compile on python, CUDA 12") == ["python", "cuda"]
    assert [is_platform(i) for i in ("python 3.13", "torch-compile+python", "cuda", "cudnn-sdpa")] == [
        True,
        True,
        True,
        False,
    ]

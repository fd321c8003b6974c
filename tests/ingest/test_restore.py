"""Structure given back to flattened texts: signs are added, words stay."""

from __future__ import annotations

import re

import pytest

from ingest.restore import restore_structure
from tests.rows import each_row

FLAT = """新版本: PyTorch 2.1 版本,编译

我们很高兴地宣布新版本的发布。

  • torch.compile 支持 Python 3.11。
  • torch.export 是原型功能

测试版功能

[Beta版] Automatic Dynamic Shapes

动态形状是 torch.compile 内置的功能。

[测试版]改进的设备支持:PrivateUse1

例如,可以执行以下操作:

import torch

x = torch.randn((2, 3), device='my device')  # 例子
y = x + x # run

有关更多信息,请参阅此处

性能改进
AVX512内核支持
现在,如果 CPU 支持这些指令,默认使用它们。
"""


def test_any_status_in_brackets_makes_a_heading() -> None:
    lines = (
        "Notes\n\n[Platform] ROCm 7.2: new wheels\n\nText.\n\n【破坏性变更】 torch.load，默认值\n\nText.\n"
    )
    restored = restore_structure(lines)
    assert re.findall(r"^#+ .*", restored, re.M)[1:] == [
        "### [Platform] ROCm 7.2: new wheels",
        "### 【破坏性变更】 torch.load，默认值",
    ]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", re.sub(r"```python|```", "", text))


def test_headings_bullets_and_code_come_back() -> None:
    restored = restore_structure(FLAT)
    assert re.findall(r"^#+ .*", restored, re.M) == [
        "# 新版本: PyTorch 2.1 版本,编译",
        "## 测试版功能",
        "### [Beta版] Automatic Dynamic Shapes",
        "### [测试版]改进的设备支持:PrivateUse1",
        "## 性能改进",
        "### AVX512内核支持",
    ]
    assert "* torch.compile 支持 Python 3.11。\n* torch.export" in restored
    code = "import torch\n\nx = torch.randn((2, 3), device='my device')  # 例子\ny = x + x # run\n"
    assert f"```python\n{code}```" in restored
    assert words(restored) == words(FLAT)


def test_bare_headings_of_an_article_come_back() -> None:
    first = "大更新!性能翻倍\n导读部分已经完整地结束了。\n"
    text = first + "FlashAttention-2\n它优化了线程块之间的工作分区。\nTORCH_LOGS\n可以启用日志。\n"
    assert re.findall(r"^#+ .*", restore_structure(text), re.M) == [
        "# 大更新!性能翻倍",
        "## FlashAttention-2",
        "## TORCH_LOGS",
    ]


@each_row(
    "line",
    [
        "有关更多信息,请参阅教程",
        "参考资料:",
        "https://pytorch.org/blog/",
        "![]()",
        "  Automatic Dynamic Shapes",
        "This sentence stands alone.",
        "| a | b |",
        "2. 第二点",
    ],
    ids=["clause", "colon", "address", "image", "table cell", "sentence", "row", "item"],
)
def test_other_short_lines_are_no_headings(line: str) -> None:
    text = f"标题\n这里是一句完整的话。\n{line}\n下面是另一句完整的话。\n"
    assert f"\n{line}\n" in restore_structure(text)


@pytest.mark.parametrize(
    "text",
    ["# T\n\nShort line\nProse follows here, it does.\n", "**Bold heading**\n\n  • item\n\nx = 1\ny = 2\n"],
    ids=["heading", "bold heading"],
)
def test_a_text_with_headings_stays_as_it_is(text: str) -> None:
    assert restore_structure(text) == text


@pytest.mark.parametrize(
    "lines",
    [
        "AOTInductor\nFlashAttention",
        "x = 1",
        "结果 = 这是一句话\n另一行 = 也是",
        "import torch as a b\nfrom x import y z",
    ],
    ids=["names", "one line", "chinese", "no python"],
)
def test_only_python_is_fenced(lines: str) -> None:
    assert "```" not in restore_structure(f"标题\n\n前面有一句话。\n\n{lines}\n")


def test_code_before_a_syntax_error_is_fenced_alone() -> None:
    restored = restore_structure("T\n\nProse stands here.\n\nimport torch\nx = torch.ones(2)\nreturn ) = 3\n")
    assert "```python\nimport torch\nx = torch.ones(2)\n```\nreturn ) = 3" in restored


def test_an_empty_text_stays_empty() -> None:
    assert restore_structure("") == ""


def test_lines_that_are_nearly_python_take_no_time() -> None:
    text = "T\n\nProse stands here.\n\n" + "x = (\n" * 20_000
    assert restore_structure(text) == f"# {text}"
